import type { TokenResponse } from '@platform/contracts';
import { load, sendOnce, type HttpRequest } from '../load/http.js';
import type { Comparison } from '../comparing/comparison.js';
import type { Sizes } from '../platform/size.js';
import { loginRequests } from './login.js';

export const CONNECTIONS = 16;
/** Users whose sessions the gateway reads again every 5 s, as for busy sessions. */
const SIGNED_IN: Sizes<{ users: number }> = { full: { users: 50 }, tiny: { users: 5 } };

/** Route that is answered from memory, without credentials. */
export const UNGUARDED: HttpRequest = { method: 'GET', path: '/v1/auth/.well-known/jwks.json' };

/**
 * Measures the cost of authentication. The key set takes the same path through the framework, is
 * also answered from memory and has a body of about the same size, but needs no credentials. Both
 * are limited by the gateway's one thread.
 */
export const me: Comparison = {
  subject: 'GET /v1/auth/me',
  baseline: 'an unguarded route, jwks.json',
  bar: 0.7,
  async prepare({ population, size }, url) {
    const { users } = SIGNED_IN[size];
    const nextLogin = loginRequests(population);
    const requests: HttpRequest[] = [];
    while (requests.length < users) {
      const { access_token } = JSON.parse(await sendOnce(url, nextLogin())) as TokenResponse;
      requests.push({ method: 'GET', path: '/v1/auth/me', headers: { Authorization: `Bearer ${access_token}` } });
    }
    let next = 0;
    return {
      baseline: (milliseconds) => load(url, CONNECTIONS, milliseconds, (send) => send(UNGUARDED)),
      subject: (milliseconds) =>
        load(url, CONNECTIONS, milliseconds, (send) => send(requests[next++ % users] as HttpRequest)),
    };
  },
};
