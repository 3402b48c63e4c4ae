import { createHmac } from 'node:crypto';
import { load, type HttpRequest } from '../load/http.js';
import { CONNECTIONS } from '../identity/me.js';
import type { Comparison } from '../comparing/comparison.js';
import { RunningApp, SECRET } from '../platform/running-app.js';

/** Payload of some kilobytes, like GitHub's for a push. */
const PAYLOAD = {
  ref: 'refs/heads/main',
  commits: Array.from({ length: 20 }, (_value, at) => ({ id: String(at).repeat(40), message: 'Mends it' })),
};

/**
 * Measures a webhook whose steps read a secret and check a signature over the raw body. The
 * baseline has the secret in memory.
 */
export const webhook: Comparison = {
  subject: 'POST /v1/ext/{app_id}/webhook/{path}, HMAC',
  baseline: 'a bare Express receiver',
  bar: 0.35,
  async prepare(platform) {
    const app = await RunningApp.inCommon(platform);
    const bare = await platform.startBareWebhook(SECRET);
    const signature = createHmac('sha256', SECRET).update(JSON.stringify(PAYLOAD)).digest('hex');
    const request: HttpRequest = {
      method: 'POST',
      path: '/v1/ext/bench/webhook/github',
      headers: { 'X-Hub-Signature-256': `sha256=${signature}` },
      body: PAYLOAD,
    };
    const from = (url: string) => (milliseconds: number) =>
      load(url, CONNECTIONS, milliseconds, (send) => send(request));
    return {
      baseline: from(bare.url),
      subject: from(app.host.url),
      stop: () => Promise.all([app.stop(), bare.stop()]),
    };
  },
};
