import { call, type ResetPasswordRequest } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '../api/client.js';
import { hasCode, toProblem } from '../api/problem.js';
import { useForget } from '../api/session.js';
import { AuthLayout } from '../components/auth-layout.js';
import { Button, ButtonLink } from '../components/button.js';
import { CheckField } from '../components/check-field.js';
import { DeadLink } from '../components/dead-link.js';
import { Emblem } from '../components/emblem.js';
import { Form } from '../components/form.js';
import { NewPasswordField } from '../components/new-password-field.js';
import { useTenant } from '../lib/tenant.js';
import { useLinkToken } from '../lib/use-link-token.js';

/** Where the link of a reset mail leads. */
export function ResetPasswordPage() {
  const token = useLinkToken();
  return <ResetPassword key={token} token={token} />;
}

function ResetPassword({ token }: { token: string | null }) {
  const tenant = useTenant();
  const forget = useForget();
  const reset = useMutation({
    mutationFn: (body: ResetPasswordRequest) => call(api.POST('/v1/auth/reset-password', { body })),
    // A reset ends every session, the one of this browser too.
    onSuccess: forget,
  });
  if (reset.isSuccess) return <Done />;
  const isDead = hasCode(reset.error, 'invalid_or_expired_token');
  if (!token || isDead) {
    return (
      <DeadLink
        wasUsed={isDead}
        advice="Ask for a new one."
        adviceSignedIn="In your account you can change your password without it."
        purpose="This page sets a new password. It needs the link of the mail that you asked for."
        wayOut={{ to: tenant.path('/forgot-password'), label: 'Ask for a link' }}
        footer={<Link to={tenant.path('/login')}>Back to sign in</Link>}
      />
    );
  }
  return (
    <AuthLayout key="form" title="Choose a new password" intro="You will be signed out everywhere, and your API keys end.">
      <Form
        busy={reset.isPending}
        problem={reset.error && toProblem(reset.error, ['new_password'])}
        onSubmit={({ new_password = '', keep }) =>
          reset.mutate({ token, new_password, keep_api_keys: !!keep, keep_terminal_sessions: !!keep })
        }
      >
        <NewPasswordField name="new_password" label="New password" missing="Choose a password." />
        <CheckField
          name="keep"
          label="Keep my API keys and command lines signed in"
          hint="Leave this off if somebody else may know your old password."
        />
        <Button type="submit" look="primary" wide busy={reset.isPending}>
          Set the password
        </Button>
      </Form>
    </AuthLayout>
  );
}

function Done() {
  const tenant = useTenant();
  return (
    <AuthLayout
      key="done"
      title="Your password is changed"
      emblem={<Emblem icon="check" tone="success" />}
      intro="You were signed out everywhere. Sign in with the new password."
    >
      <ButtonLink to={tenant.path('/login')} look="primary" wide>
        Sign in
      </ButtonLink>
    </AuthLayout>
  );
}
