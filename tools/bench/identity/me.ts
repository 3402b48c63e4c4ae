import type { TokenResponse } from '@platform/contracts';
import { load, sendOnce, type HttpRequest } from '../load/http.js';
import type { Comparison } from '../comparing/comparison.js';
import type { Sizes } from '../platform/size.js';
import { loginRequests } from './login.js';

export const CONNECTIONS = 16;
/** Each is read anew every 5 s, as busy sessions are. */
const SIGNED_IN: Sizes<{ users: number }> = { full: { users: 50 }, tiny: { users: 5 } };

/** Answered from memory, without credentials. */
export const UNGUARDED: HttpRequest = { method: 'GET', path: '/v1/auth/.well-known/jwks.json' };

/**
 * What it costs to know who calls: the key set takes the same way through the framework and is answered from memory too, with a
 * body of about the same size, but asks for no credentials. Both are bound by the one thread of the gateway.
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
      subject: (milliseconds) => load(url, CONNECTIONS, milliseconds, (send) => send(requests[next++ % users] as HttpRequest)),
    };
  },
};
