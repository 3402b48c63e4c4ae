import { challengeOf, newVerifier } from '@platform/client/pkce';
import type {
  DeviceAuthorizeResponse,
  DeviceTokenResult,
  SessionListResponse,
  TokenResponse,
  UserResponse,
} from '@platform/contracts';
import type { Tour } from './tour.js';

/** The requests of `platform login`, and those of the user in the panel at the same time. */
export async function commandLine(tour: Tour): Promise<void> {
  const { email, password } = tour;
  const code_verifier = newVerifier();

  tour.step('On the command line: start a login');
  const { device_code, user_code } = await tour.call<DeviceAuthorizeResponse>('/v1/auth/cli/device/authorize', {
    method: 'POST',
    body: { code_challenge: challengeOf(code_verifier), label: 'the tour' },
  });
  const poll = () =>
    tour.call<DeviceTokenResult>('/v1/auth/cli/device/token', { method: 'POST', body: { device_code, code_verifier } });
  await poll();

  tour.step('In the panel: sign in, look at the login request, and approve it');
  const panel = await tour.signInToPanel({ email, password });
  await panel('/api/v1/auth/cli/device/lookup', { user_code });
  await panel('/api/v1/auth/cli/device/approve', { user_code });

  tour.step('On the command line: get the tokens');
  const { access_token: token, refresh_token } = (await poll()) as TokenResponse;
  await tour.call<UserResponse>('/v1/auth/me', { token });

  tour.step('Where am I signed in?');
  await tour.call<SessionListResponse>('/v1/auth/sessions', { token });
  await tour.call('/v1/auth/logout', { method: 'POST', body: { refresh_token } });
}
