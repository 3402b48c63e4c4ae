import type { TokenResponse } from '@platform/contracts';
import { sendOnce } from '../load/http.js';
import type { Measurement } from '../measurement.js';
import type { BenchPlatform } from '../platform/bench-platform.js';
import type { Sizes } from '../platform/size.js';
import { loginRequests } from './login.js';

const ROUNDS: Sizes<{ rounds: number }> = { full: { rounds: 5 }, tiny: { rounds: 1 } };
const LONGEST_MS = 5_000;

export const revocation: Measurement = {
  title: 'Time until a second process notices a revocation',
  async measure({ platform }) {
    const longestMs = await longestRevocation(platform, (await platform.gateway()).url);
    return {
      text: `A second process refuses a revoked session after ${longestMs.toFixed(0)} ms (bar: < ${LONGEST_MS} ms)`,
      isReached: longestMs < LONGEST_MS,
      figures: [longestMs],
    };
  },
};

/**
 * Longest time of all rounds, in milliseconds, in which a second process still accepts a session's
 * token after its revocation was answered.
 */
async function longestRevocation(platform: BenchPlatform, gatewayUrl: string): Promise<number> {
  const other = await platform.startService('auth-gateway', { publicUrl: gatewayUrl });
  try {
    const nextLogin = loginRequests(platform.population);
    const seen: number[] = [];
    for (let round = 0; round < ROUNDS[platform.size].rounds; round++) {
      const { access_token } = JSON.parse(await sendOnce(gatewayUrl, nextLogin())) as TokenResponse;
      const headers = { Authorization: `Bearer ${access_token}` };
      const accepted = () =>
        sendOnce(other.url, { method: 'GET', path: '/v1/auth/me', headers }).then(
          () => true,
          () => false,
        );
      if (!(await accepted())) throw new Error('The second process refused a valid token.');
      const { sid } = JSON.parse(Buffer.from(access_token.split('.')[1] as string, 'base64url').toString()) as {
        sid: string;
      };
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
