import { AuthLayout } from '../components/auth-layout.js';
import { ButtonLink } from '../components/button.js';

export function NotFoundPage() {
  return (
    <AuthLayout title="Page not found" intro="The address may be wrong, or the page has moved.">
      <ButtonLink to="/" look="primary" wide>
        Go to the start page
      </ButtonLink>
    </AuthLayout>
  );
}
