import { Link, Navigate, useNavigate, useParams, useSearchParams } from 'react-router';
import { AuthLayout } from '../components/auth-layout.js';
import { Button } from '../components/button.js';
import { Field } from '../components/field.js';
import { Form } from '../components/form.js';
import { withQuery } from '../lib/own-path.js';
import { DEFAULT_TENANT } from '../lib/tenant.js';

/** `/organisation/{tenant_id}`: the sign-in address of an organisation. */
export function OrganisationLink() {
  const { tenant = '' } = useParams();
  return <Navigate to={withQuery('/login', { tenant })} replace />;
}

/** Asks for the organisation to sign in to. The page does not reveal if it exists. */
export function OrganisationPage() {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const signInTo = (tenant: string) => withQuery('/login', { tenant, next: query.get('next') });
  return (
    <AuthLayout
      title="Your organisation"
      intro="Enter the name that your administrator gave you."
      footer={
        <>
          No organisation? <Link to={signInTo(DEFAULT_TENANT)}>Sign in without one</Link>
        </>
      }
    >
      <Form
        busy={false}
        problem={null}
        onSubmit={({ tenant = '' }) => {
          const id = tenant.trim().toLowerCase();
          if (id) void navigate(signInTo(id));
        }}
      >
        <Field
          name="tenant"
          label="Organisation"
          required
          missing="Enter the name of your organisation."
          maxLength={63}
          autoComplete="organization"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit" look="primary" wide>
          Continue
        </Button>
      </Form>
    </AuthLayout>
  );
}
