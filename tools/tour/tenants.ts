import type { SignupResponse, TenantResponse, TokenResponse } from '@platform/contracts';
import { randomBytes } from 'node:crypto';
import type { Tour } from './tour.js';

/**
 * An administrator creates a tenant; a user signs up there and signs in to the panel. Needs the
 * administrator's credentials.
 */
export async function tenants(tour: Tour): Promise<void> {
  const { administrator } = tour;
  if (!administrator) {
    tour.skip('Skipped the creation of a tenant, because ADMIN_EMAIL and ADMIN_PASSWORD are not set');
    return;
  }
  const mark = randomBytes(3).toString('hex');
  const tenant_id = `travel-${mark}`;
  const account = { email: `joan-${mark}@example.com`, password: randomBytes(9).toString('base64url'), tenant_id };

  tour.step('As administrator: create a tenant');
  const { access_token: token } = await tour.call<TokenResponse>('/v1/auth/login', {
    method: 'POST',
    body: administrator,
  });
  await tour.call<TenantResponse>('/v1/tenants', {
    method: 'POST',
    token,
    body: { tenant_id, name: 'Travel' },
    status: 201,
  });

  tour.step('A user signs up there, at the address of the tenant: /organisation/<tenant>');
  await tour.call<SignupResponse>('/v1/auth/signup', { method: 'POST', body: account, status: 201 });
  const { text } = await tour.mail(account.email);
  const confirmation = /#token=([\w-]+)/.exec(text)?.[1];
  if (!confirmation) throw new Error('The mail contains no token.');
  await tour.call('/v1/auth/verify-email', { method: 'POST', body: { token: confirmation } });

  tour.step('In the panel: the user can sign in to this tenant, but to no other');
  await tour.signInToPanel(account);
  const { email, password } = account;
  await tour.call('/v1/auth/login', { method: 'POST', body: { email, password }, status: 401 });
}
