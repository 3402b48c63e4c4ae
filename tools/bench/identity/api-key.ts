import { load, type HttpRequest } from '../load/http.js';
import { CONNECTIONS, UNGUARDED } from './me.js';
import type { Comparison } from '../comparing/comparison.js';

/**
 * Measures authentication with an API key, like the one with an access token. The request path with
 * a key writes nothing.
 */
export const apiKey: Comparison = {
  subject: 'GET /v1/auth/me with an API key',
  baseline: 'an unguarded route, jwks.json',
  bar: 0.7,
  prepare({ population: { apiKeys } }, url) {
    const requests = apiKeys.map((key): HttpRequest => ({
      method: 'GET',
      path: '/v1/auth/me',
      headers: { 'x-api-key': key },
    }));
    let next = 0;
    return {
      baseline: (milliseconds) => load(url, CONNECTIONS, milliseconds, (send) => send(UNGUARDED)),
      subject: (milliseconds) =>
        load(url, CONNECTIONS, milliseconds, (send) => send(requests[next++ % requests.length] as HttpRequest)),
    };
  },
};
