import { call, type SignupRequest } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { api } from '../../api/client.js';
import { toProblem } from '../../api/problem.js';
import { AuthLayout } from '../../components/auth-layout.js';
import { Button } from '../../components/button.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';
import { NewPasswordField } from '../../components/new-password-field.js';
import { TenantLine } from '../../components/tenant-line.js';
import { useTenant } from '../../lib/tenant.js';
import type { SentMail } from './check-mail.js';

const FIELDS = ['email', 'password', 'first_name', 'last_name'];

export function SignupForm() {
  const navigate = useNavigate();
  const tenant = useTenant();
  const signup = useMutation({
    mutationFn: (body: SignupRequest) => call(api.POST('/v1/auth/signup', { body })),
    onSuccess: ({ status_token }, { email }) => {
      const state: SentMail = { email, statusToken: status_token };
      return navigate(tenant.path('/signup'), { state });
    },
  });
  const submit = ({ email = '', password = '', first_name, last_name }: Record<string, string>) => {
    signup.mutate({
      email,
      password,
      tenant_id: tenant.id,
      ...(first_name && { first_name }),
      ...(last_name && { last_name }),
    });
  };
  return (
    <AuthLayout
      title="Create an account"
      intro="One account for all apps on this platform."
      footer={
        <>
          <p>
            Already have an account? <Link to={tenant.path('/login')}>Sign in</Link>
          </p>
          <p>
            <TenantLine />
          </p>
        </>
      }
    >
      <Form busy={signup.isPending} problem={signup.error && toProblem(signup.error, FIELDS)} onSubmit={submit}>
        <div className="form__row">
          <Field name="first_name" label="First name" autoComplete="given-name" maxLength={100} />
          <Field name="last_name" label="Last name" autoComplete="family-name" maxLength={100} />
        </div>
        <Field
          name="email"
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          missing="Enter your e-mail address."
        />
        <NewPasswordField name="password" label="Password" missing="Choose a password." />
        <Button type="submit" look="primary" wide busy={signup.isPending}>
          Create account
        </Button>
      </Form>
    </AuthLayout>
  );
}
