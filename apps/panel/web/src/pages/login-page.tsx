import { Link, Navigate, useSearchParams } from 'react-router';
import { hasCode, toProblem } from '../api/problem.js';
import { useSession, useSignIn } from '../api/session.js';
import { AuthLayout } from '../components/auth-layout.js';
import { Button } from '../components/button.js';
import { Field } from '../components/field.js';
import { Form } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { PasswordField } from '../components/password-field.js';
import { ResendVerification } from '../components/resend-verification.js';
import { TenantLine } from '../components/tenant-line.js';
import { Waiting } from '../components/waiting.js';
import { ownPath } from '../lib/own-path.js';
import { useTenant } from '../lib/tenant.js';

/**
 * Signs in and opens the page in `?next=` if it is a page of this site, otherwise the start page. A
 * signed-in user gets there at once.
 */
export function LoginPage() {
  const [query] = useSearchParams();
  const session = useSession();
  if (session.data) return <Navigate to={ownPath(query.get('next'), window.location.origin)} replace />;
  if (session.isLoading) return <Waiting />;
  return <LoginForm wantsDevice={query.get('next')?.startsWith('/device') ?? false} />;
}

function LoginForm({ wantsDevice }: { wantsDevice: boolean }) {
  const signIn = useSignIn();
  const tenant = useTenant();
  const unconfirmed = hasCode(signIn.error, 'email_not_verified') ? signIn.variables?.email : undefined;
  const problem = signIn.error && !unconfirmed ? toProblem(signIn.error, ['email', 'password']) : null;
  return (
    <AuthLayout
      title="Sign in"
      intro={wantsDevice ? 'Sign in to continue with the device that asks for access.' : 'Welcome back.'}
      footer={
        <>
          <p>
            New here? <Link to={tenant.path('/signup')}>Create an account</Link>
          </p>
          <p>
            <TenantLine />
          </p>
        </>
      }
    >
      {unconfirmed && (
        <Notice tone="warning" role="alert" title="Confirm your e-mail address first">
          <p>We sent a link to {unconfirmed} when you signed up.</p>
          <ResendVerification email={unconfirmed} />
        </Notice>
      )}
      <Form
        busy={signIn.isPending}
        problem={problem}
        onSubmit={({ email = '', password = '' }) => signIn.mutate({ email, password, tenant_id: tenant.id })}
      >
        <Field
          name="email"
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          missing="Enter your e-mail address."
        />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          missing="Enter your password."
          aside={<Link to={tenant.path('/forgot-password')}>Forgot password?</Link>}
        />
        <Button type="submit" look="primary" wide busy={signIn.isPending}>
          Sign in
        </Button>
      </Form>
    </AuthLayout>
  );
}
