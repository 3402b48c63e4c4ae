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

/** Page that the link of a reset mail opens. */
export function ResetPasswordPage() {
  const token = useLinkToken();
  return <ResetPassword key={token} token={token} />;
}

function ResetPassword({ token }: { token: string | null }) {
  const tenant = useTenant();
  const forget = useForget();
  const reset = useMutation({
    mutationFn: (body: ResetPasswordRequest) => call(api.POST('/v1/auth/reset-password', { body })),
    // A reset ends every session, including the one of this browser.
    onSuccess: forget,
  });
  if (reset.isSuccess) return <Done />;
  const isDead = hasCode(reset.error, 'invalid_or_expired_token');
  if (!token || isDead) {
    return (
      <DeadLink
        wasUsed={isDead}
        advice="Request a new link."
        adviceSignedIn="You can change your password in your account."
        purpose="This page sets a new password. Open it with the link in the mail that you requested."
        wayOut={{ to: tenant.path('/forgot-password'), label: 'Request a link' }}
        footer={<Link to={tenant.path('/login')}>Back to sign in</Link>}
      />
    );
  }
  return (
    <AuthLayout
      key="form"
      title="Choose a new password"
      intro="You will be signed out everywhere, and your API keys stop working."
    >
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
      title="Your password was changed"
      emblem={<Emblem icon="check" tone="success" />}
      intro="You were signed out everywhere. Sign in with the new password."
    >
      <ButtonLink to={tenant.path('/login')} look="primary" wide>
        Sign in
      </ButtonLink>
    </AuthLayout>
  );
}
