import type { TokenResponse } from '@platform/contracts';
import { load, sendOnce, type HttpRequest } from '../load/http.js';
import { loginRequests } from './login.js';
import type { Measurement } from '../comparing/measurement.js';

export const CONNECTIONS = 16;
/** Each is read anew every 5 s, as busy sessions are. */
const SIGNED_IN = 50;

/** Answered from memory, without credentials. */
export const UNGUARDED: HttpRequest = { method: 'GET', path: '/v1/auth/.well-known/jwks.json' };

/**
 * What it costs to know who calls: the key set takes the same way through the framework and is answered from memory too, with a
 * body of about the same size, but asks for no credentials. Both are bound by the one thread of the gateway.
 */
export const me: Measurement = {
  subject: 'GET /v1/auth/me',
  baseline: 'an unguarded route, jwks.json',
  bar: 0.7,
  async prepare({ population }, url) {
    const nextLogin = loginRequests(population);
    const requests: HttpRequest[] = [];
    while (requests.length < SIGNED_IN) {
      const { access_token } = JSON.parse(await sendOnce(url, nextLogin())) as TokenResponse;
      requests.push({ method: 'GET', path: '/v1/auth/me', headers: { Authorization: `Bearer ${access_token}` } });
    }
    let next = 0;
    return {
      baseline: (milliseconds) => load(url, CONNECTIONS, milliseconds, (send) => send(UNGUARDED)),
      subject: (milliseconds) => load(url, CONNECTIONS, milliseconds, (send) => send(requests[next++ % SIGNED_IN] as HttpRequest)),
    };
  },
};
