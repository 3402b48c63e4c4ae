import { AuthLayout } from '../components/auth-layout.js';
import { ButtonLink } from '../components/button.js';

export function NotFoundPage() {
  return (
    <AuthLayout title="There is no such page" intro="The address may be mistyped, or what was here has moved.">
      <ButtonLink to="/" look="primary" wide>
        Go to the start
      </ButtonLink>
    </AuthLayout>
  );
}
