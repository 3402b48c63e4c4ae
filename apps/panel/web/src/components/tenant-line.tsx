import { Link, useSearchParams } from 'react-router';
import { withQuery } from '../lib/own-path.js';
import { useTenant } from '../lib/tenant.js';

/**
 * Shows the organisation that a form is for, with a link to choose another one. Without an
 * organisation, only a link to choose one.
 */
export function TenantLine() {
  const tenant = useTenant();
  const [query] = useSearchParams();
  const choose = withQuery('/organisation', { next: query.get('next') });
  if (tenant.isDefault) return <Link to={choose}>Sign in to an organisation</Link>;
  return (
    <>
      Organisation: <strong>{tenant.id}</strong>. <Link to={choose}>Change</Link>
    </>
  );
}
