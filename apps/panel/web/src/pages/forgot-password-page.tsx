import { call } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '../api/client.js';
import { toProblem } from '../api/problem.js';
import { AuthLayout } from '../components/auth-layout.js';
import { Button } from '../components/button.js';
import { Emblem } from '../components/emblem.js';
import { Field } from '../components/field.js';
import { Form } from '../components/form.js';
import { useTenant } from '../lib/tenant.js';

export function ForgotPasswordPage() {
  const tenant = useTenant();
  const forgot = useMutation({
    mutationFn: (email: string) =>
      call(api.POST('/v1/auth/forgot-password', { body: { email, tenant_id: tenant.id } })),
  });
  const footer = <Link to={tenant.path('/login')}>Back to sign in</Link>;
  if (forgot.isSuccess) {
    return (
      <AuthLayout
        key="sent"
        title="Check your mail"
        emblem={<Emblem icon="mail" />}
        intro={
          <p>
            If there is an account for <strong>{forgot.variables}</strong>, a link to choose a new password is on its
            way. It works for half an hour.
          </p>
        }
        footer={footer}
      >
        <Button wide onClick={() => forgot.reset()}>
          Use another address
        </Button>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      key="form"
      title="Forgot your password?"
      intro="Enter your e-mail address and we will send you a link to choose a new password."
      footer={footer}
    >
      <Form
        busy={forgot.isPending}
        problem={forgot.error && toProblem(forgot.error, ['email'])}
        onSubmit={({ email = '' }) => forgot.mutate(email)}
      >
        <Field
          name="email"
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          missing="Enter your e-mail address."
          {...(!tenant.isDefault && { hint: `For your account in the organisation ${tenant.id}.` })}
        />
        <Button type="submit" look="primary" wide busy={forgot.isPending}>
          Send the link
        </Button>
      </Form>
    </AuthLayout>
  );
}
