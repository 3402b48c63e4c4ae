import { load, type HttpRequest } from '../load/http.js';
import { CONNECTIONS } from '../identity/me.js';
import type { Comparison, Sides } from '../comparing/comparison.js';
import type { BenchPlatform } from '../platform/bench-platform.js';
import { DOCUMENT, RunningApp, userId } from '../platform/running-app.js';

/**
 * Measures a call through both services that is recorded as an action. The bare services do only
 * the same two requests and the same read.
 */
export const call: Comparison = {
  subject: 'POST /v1/extensions/{app_id}/call, one read',
  baseline: 'two bare Express services',
  bar: 0.35,
  async prepare(platform) {
    const app = await RunningApp.inCommon(platform);
    const bare = await platform.startBareCall(['default', 'bench', DOCUMENT.collection, userId(1), DOCUMENT.id]);
    return {
      baseline: calls(platform, bare.url),
      subject: calls(platform, app.gateway.url),
      stop: () => Promise.all([app.stop(), bare.stop()]),
    };
  },
};

/** Calls with each user in turn. Throws if a call fails. */
export function calls({ population: { apiKeys } }: BenchPlatform, url: string, appId = 'bench'): Sides['subject'] {
  const requests = apiKeys.map((key, at): HttpRequest => ({
    method: 'POST',
    path: `/v1/extensions/${appId}/call`,
    headers: { 'x-api-key': key },
    body: { user_id: userId(at + 1), function: 'read_note', params: { id: DOCUMENT.id } },
  }));
  let next = 0;
  return (milliseconds) =>
    load(url, CONNECTIONS, milliseconds, (send) => send(requests[next++ % requests.length] as HttpRequest));
}
