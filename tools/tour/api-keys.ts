import type { KeyListItem, KeyResponse, TokenResponse } from '@platform/contracts';
import type { Tour } from './tour.js';

/** Creates, uses and deletes an API key. */
export async function apiKeys(tour: Tour): Promise<void> {
  const { email, password } = tour;
  const { access_token: token } = await tour.call<TokenResponse>('/v1/auth/login', {
    method: 'POST',
    body: { email, password, tenant_id: 'default' },
  });

  tour.step('Make an API key; it is shown this once');
  const { id, key } = await tour.call<KeyResponse>('/v1/keys', {
    method: 'POST',
    token,
    body: { name: 'deploy' },
    status: 201,
  });

  tour.step('Call with it, as a program would');
  await tour.call('/v1/auth/me', { apiKey: key });
  await tour.call<KeyListItem[]>('/v1/keys', { token });

  tour.step('A key cannot make more keys');
  await tour.call('/v1/keys', { method: 'POST', apiKey: key, body: { name: 'another' }, status: 403 });

  tour.step('Delete it; it is refused at once');
  await tour.call(`/v1/keys/${id}`, { method: 'DELETE', token });
  await tour.call('/v1/auth/me', { apiKey: key, status: 401, isHeardOf: true });
}
