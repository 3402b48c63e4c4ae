import { call } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { toProblem } from '../api/problem.js';
import { useTenant } from '../lib/tenant.js';
import { useCountdown } from '../lib/use-countdown.js';
import { Button } from './button.js';
import { ProblemNotice } from './problem-notice.js';

/** An address receives at most one mail a minute; the platform drops more without an error. */
const PAUSE_SECONDS = 60;

interface ResendVerificationProps {
  email: string;
  /** Status token of the signup, if this browser knows it. */
  statusToken?: string;
}

/** Button that requests the confirmation mail again. */
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
        {resend.isSuccess &&
          'If the address is not confirmed yet, a new mail is on its way. Also check your spam folder.'}
      </p>
      <Button
        size="small"
        icon="mail"
        busy={resend.isPending}
        aria-disabled={pause.seconds > 0}
        onClick={() => resend.mutate()}
      >
        {pause.seconds > 0 ? `Send again in ${pause.seconds} s` : 'Send the mail again'}
      </Button>
    </div>
  );
}
