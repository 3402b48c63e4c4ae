import type { TokenResponse } from '@platform/contracts';
import { sendOnce } from '../load/http.js';
import { loginRequests } from './login.js';
import type { Platform } from '../platform/platform.js';

const ROUNDS = 5;
export const LONGEST_MS = 5_000;

/** How long a second process still takes the token of a session after its revocation was answered, at worst of five, in milliseconds. */
export async function measureRevocation(platform: Platform, gatewayUrl: string): Promise<number> {
  const other = await platform.startService('auth-gateway', { publicUrl: gatewayUrl });
  try {
    const nextLogin = loginRequests(platform.population);
    const seen: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { access_token } = JSON.parse(await sendOnce(gatewayUrl, nextLogin())) as TokenResponse;
      const headers = { Authorization: `Bearer ${access_token}` };
      const accepted = () =>
        sendOnce(other.url, { method: 'GET', path: '/v1/auth/me', headers }).then(
          () => true,
          () => false,
        );
      if (!(await accepted())) throw new Error('The second process refused a token that is good.');
      const { sid } = JSON.parse(Buffer.from(access_token.split('.')[1] as string, 'base64url').toString()) as { sid: string };
      await sendOnce(gatewayUrl, { method: 'POST', path: `/v1/auth/sessions/${sid}/revoke`, headers });
      const revoked = performance.now();
      while (await accepted());
      seen.push(performance.now() - revoked);
    }
    return Math.max(...seen);
  } finally {
    await other.stop();
  }
}
