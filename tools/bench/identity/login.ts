import { availableParallelism } from 'node:os';
import { BareProcess } from '../bare/process.js';
import { load, type HttpRequest } from '../load/http.js';
import type { Comparison } from '../comparing/comparison.js';
import type { Population } from '../platform/population.js';

const CONCURRENCY = 8;

/**
 * Compares a login with its password hash. Both sides have the same number of requests in progress,
 * and hash as many at once as there are cores; more threads would only give the baseline a larger
 * share of a busy machine. The baseline's process has the whole machine, while the gateway shares
 * it with the database and with this process, which sends the requests. So the ratio includes
 * everything that a login costs besides its hash, and also the client.
 */
export const login: Comparison = {
  subject: 'POST /v1/auth/login',
  baseline: 'bare argon2id',
  bar: 0.85,
  prepare({ population }, url) {
    const bare = BareProcess.start('argon2', { UV_THREADPOOL_SIZE: String(availableParallelism()) });
    const next = loginRequests(population);
    return {
      baseline: (milliseconds) => bare.run({ concurrency: CONCURRENCY, milliseconds }),
      subject: (milliseconds) => load(url, CONCURRENCY, milliseconds, (send) => send(next())),
      stop: () => bare.stop(),
    };
  },
};

let clients = 0;

/**
 * Logins of the users in turn, each from another address, so that the limit per address is counted
 * but never reached.
 */
export function loginRequests({ emails, password }: Population): () => HttpRequest {
  return () => {
    const client = clients++;
    return {
      method: 'POST',
      path: '/v1/auth/login',
      headers: { 'X-Forwarded-For': `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}` },
      body: { email: emails[client % emails.length], password },
    };
  };
}
