import { Link, useNavigate } from 'react-router';
import { hasCode, toProblem } from '../api/problem.js';
import { useConfirmAddress } from '../api/session.js';
import { useAnnounce } from '../components/announcer.js';
import { AuthLayout } from '../components/auth-layout.js';
import { Button } from '../components/button.js';
import { DeadLink } from '../components/dead-link.js';
import { Emblem } from '../components/emblem.js';
import { ProblemNotice } from '../components/problem-notice.js';
import { useLinkToken } from '../lib/use-link-token.js';

/** Where the link of a verification mail leads. Only the button uses it, since mail scanners open links. */
export function VerifyEmailPage() {
  const token = useLinkToken();
  return <VerifyEmail key={token} token={token} />;
}

function VerifyEmail({ token }: { token: string | null }) {
  const confirm = useConfirmAddress();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const isDead = hasCode(confirm.error, 'invalid_or_expired_token');
  if (!token || isDead) {
    return (
      <DeadLink
        wasUsed={isDead}
        advice="If your address is confirmed you can sign in; otherwise signing in offers a new mail."
        purpose="This page confirms your e-mail address. It needs the link of the mail that we sent you."
        wayOut={{ to: '/login', label: 'Sign in' }}
        footer={
          <>
            No account yet? <Link to="/signup">Create one</Link>
          </>
        }
      />
    );
  }

  const use = () =>
    confirm.mutate(token, {
      onSuccess: () => {
        void navigate('/', { replace: true });
        announce('Your address is confirmed, and you are signed in.');
      },
    });
  return (
    <AuthLayout
      title="Confirm your address"
      emblem={<Emblem icon="mail" />}
      intro="One click, and your account is ready. You will be signed in on this device."
    >
      <ProblemNotice problem={confirm.error && toProblem(confirm.error)} />
      <Button look="primary" wide busy={confirm.isPending} onClick={use}>
        Confirm my address
      </Button>
    </AuthLayout>
  );
}
