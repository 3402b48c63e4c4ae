import type { SignupResponse, TenantResponse, TokenResponse } from '@platform/contracts';
import { randomBytes } from 'node:crypto';
import type { Tour } from './tour.js';

/** An administrator makes a tenant, and somebody signs up there and signs in to the panel. Needs the administrator's credentials. */
export async function tenants(tour: Tour): Promise<void> {
  const { administrator } = tour;
  if (!administrator) {
    tour.skip('A tenant with people of its own: left out, since ADMIN_EMAIL and ADMIN_PASSWORD are not known');
    return;
  }
  const mark = randomBytes(3).toString('hex');
  const tenant_id = `travel-${mark}`;
  const account = { email: `joan-${mark}@example.com`, password: randomBytes(9).toString('base64url'), tenant_id };

  tour.step('As administrator: a tenant');
  const { access_token: token } = await tour.call<TokenResponse>('/v1/auth/login', { method: 'POST', body: administrator });
  await tour.call<TenantResponse>('/v1/tenants', { method: 'POST', token, body: { tenant_id, name: 'Travel' }, status: 201 });

  tour.step('Somebody signs up there, by the address that the tenant gives to its people: /organisation/<tenant>');
  await tour.call<SignupResponse>('/v1/auth/signup', { method: 'POST', body: account, status: 201 });
  const { text } = await tour.mail(account.email);
  const confirmation = /#token=([\w-]+)/.exec(text)?.[1];
  if (!confirmation) throw new Error('The mail holds no token.');
  await tour.call('/v1/auth/verify-email', { method: 'POST', body: { token: confirmation } });

  tour.step('In the panel: they sign in to their tenant, and nowhere else');
  await tour.signInToPanel(account);
  const { email, password } = account;
  await tour.call('/v1/auth/login', { method: 'POST', body: { email, password }, status: 401 });
}
