import { call } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { toProblem } from '../api/problem.js';
import { useTenant } from '../lib/tenant.js';
import { useCountdown } from '../lib/use-countdown.js';
import { Button } from './button.js';
import { ProblemNotice } from './problem-notice.js';

/** One mail a minute reaches an address; more are dropped without a word. */
const PAUSE_SECONDS = 60;

interface ResendVerificationProps {
  email: string;
  /** Of the signup whose link is asked for, where this browser knows it. */
  statusToken?: string;
}

/** Asks for the confirmation mail again. */
export function ResendVerification({ email, statusToken }: ResendVerificationProps) {
  const pause = useCountdown();
  const tenant = useTenant();
  const resend = useMutation({
    mutationFn: () =>
      call(
        api.POST('/v1/auth/resend-verification', {
          body: { email, tenant_id: tenant.id, ...(statusToken && { status_token: statusToken }) },
        }),
      ),
    onSuccess: () => pause.start(PAUSE_SECONDS),
  });
  return (
    <div className="resend">
      <ProblemNotice problem={resend.error && toProblem(resend.error)} />
      <p className="resend__said" role="status">
        {resend.isSuccess && 'If the address waits for confirmation, a new mail is on its way. Look in your spam folder too.'}
      </p>
      <Button size="small" icon="mail" busy={resend.isPending} aria-disabled={pause.seconds > 0} onClick={() => resend.mutate()}>
        {pause.seconds > 0 ? `Send again in ${pause.seconds} s` : 'Send the mail again'}
      </Button>
    </div>
  );
}
