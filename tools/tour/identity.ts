import type { SignupResponse, TokenResponse, UserResponse } from '@platform/contracts';
import type { Tour } from './tour.js';

/** Signs up, signs in and signs out a new user. */
export async function identity(tour: Tour): Promise<void> {
  const { email, password } = tour;

  tour.step('Sign up');
  const signup = await tour.call<SignupResponse>('/v1/auth/signup', {
    method: 'POST',
    body: { email, password, tenant_id: 'default', first_name: 'Ada' },
    status: 201,
  });

  tour.step('Sign in too early: the address must be confirmed first');
  await tour.call('/v1/auth/login', { method: 'POST', body: { email, password, tenant_id: 'default' }, status: 403 });

  tour.step('Read the verification mail');
  const { text } = await tour.mail();
  const token = /#token=([\w-]+)/.exec(text)?.[1];
  if (!token) throw new Error('The mail contains no token.');

  tour.step('Confirm the address');
  await tour.call('/v1/auth/verify-email', { method: 'POST', body: { token } });
  await tour.call(`/v1/auth/signup-status?token=${signup.status_token}`);

  tour.step('Sign in');
  const pair = await tour.call<TokenResponse>('/v1/auth/login', {
    method: 'POST',
    body: { email, password, tenant_id: 'default' },
  });

  tour.step('Who am I?');
  await tour.call<UserResponse>('/v1/auth/me', { token: pair.access_token });

  tour.step('Refresh');
  const next = await tour.call<TokenResponse>('/v1/auth/refresh', {
    method: 'POST',
    body: { refresh_token: pair.refresh_token },
  });

  tour.step('Sign out; the session ends at once');
  await tour.call('/v1/auth/logout', { method: 'POST', body: { refresh_token: next.refresh_token } });
  await tour.call('/v1/auth/refresh', { method: 'POST', body: { refresh_token: next.refresh_token }, status: 401 });
  await tour.call('/v1/auth/me', { token: next.access_token, status: 401, isHeardOf: true });
}
