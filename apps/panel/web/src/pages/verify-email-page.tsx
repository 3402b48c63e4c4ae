import { Link, useNavigate } from 'react-router';
import { hasCode, toProblem } from '../api/problem.js';
import { useConfirmAddress } from '../api/session.js';
import { useAnnounce } from '../components/announcer.js';
import { AuthLayout } from '../components/auth-layout.js';
import { Button } from '../components/button.js';
import { DeadLink } from '../components/dead-link.js';
import { Emblem } from '../components/emblem.js';
import { Form } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { PasswordField } from '../components/password-field.js';
import { ProblemNotice } from '../components/problem-notice.js';
import { useTenant } from '../lib/tenant.js';
import { useLinkToken } from '../lib/use-link-token.js';

/**
 * Page that the link of a verification mail opens. Only a click on the button confirms, since mail
 * scanners open links.
 */
export function VerifyEmailPage() {
  const token = useLinkToken();
  return <VerifyEmail key={token} token={token} />;
}

function VerifyEmail({ token }: { token: string | null }) {
  const confirm = useConfirmAddress();
  const navigate = useNavigate();
  const tenant = useTenant();
  const announce = useAnnounce();
  const isDead = hasCode(confirm.error, 'invalid_or_expired_token');
  const isAmbiguous = hasCode(confirm.error, 'signup.ambiguous');
  /** Stays true during a retry, which clears the error of the last attempt. */
  const asksPassword = confirm.variables?.password !== undefined;
  if (!token || isDead) {
    return (
      <DeadLink
        wasUsed={isDead}
        advice="If your address is confirmed, you can sign in. Otherwise, sign in to request a new mail."
        adviceSignedIn="There is nothing more to confirm."
        purpose="This page confirms your e-mail address. Open it with the link in the mail that we sent you."
        wayOut={{ to: tenant.path('/login'), label: 'Sign in' }}
        footer={
          <>
            No account yet? <Link to={tenant.path('/signup')}>Create one</Link>
          </>
        }
      />
    );
  }

  const use = (password?: string) =>
    confirm.mutate(
      { token, ...(password && { password }) },
      {
        onSuccess: () => {
          void navigate('/', { replace: true });
          announce('Your address is confirmed, and you are signed in.');
        },
      },
    );
  if (asksPassword || isAmbiguous) {
    const wasWrong = isAmbiguous && confirm.variables?.password !== undefined;
    const problem = confirm.error && !isAmbiguous ? toProblem(confirm.error, ['password']) : null;
    return (
      <AuthLayout
        title="Is this your sign-up?"
        emblem={<Emblem icon="mail" />}
        intro="There are several sign-ups with this address. Enter the password that you chose, to confirm yours."
        footer={
          <>
            None of your mails works? <Link to={tenant.path('/signup')}>Sign up again</Link>, and have the mail sent
            again there.
          </>
        }
      >
        {wasWrong && (
          <Notice tone="warning" role="alert" title="This is not the password of this sign-up">
            <p>
              If the password is correct, this mail belongs to another person's sign-up. Use the link in another mail.
            </p>
          </Notice>
        )}
        <Form busy={confirm.isPending} problem={problem} onSubmit={({ password }) => use(password)}>
          <PasswordField
            name="password"
            label="Password"
            autoComplete="current-password"
            required
            missing="Enter your password."
          />
          <Button type="submit" look="primary" wide busy={confirm.isPending}>
            Confirm my address
          </Button>
        </Form>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Confirm your address"
      emblem={<Emblem icon="mail" />}
      intro="One click, and your account is ready. You will be signed in on this device."
    >
      <ProblemNotice problem={confirm.error && toProblem(confirm.error)} />
      <Button look="primary" wide busy={confirm.isPending} onClick={() => use()}>
        Confirm my address
      </Button>
    </AuthLayout>
  );
}
