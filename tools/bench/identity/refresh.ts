import type { TokenResponse } from '@platform/contracts';
import { BareProcess } from '../bare/process.js';
import { load } from '../load/http.js';
import type { Comparison } from '../comparing/comparison.js';
import { POOL_SIZE } from '../platform/bench-platform.js';

const CONCURRENCY = 16;

/** Refreshes the sessions in turn, so that no session is refreshed too often. */
const against = (program: 'update' | 'update-and-sign'): Comparison['prepare'] => {
  return ({ databaseUrl, refreshTokens }, url) => {
    const bare = BareProcess.start(program, { DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: String(POOL_SIZE) });
    return {
      baseline: (milliseconds) => bare.run({ concurrency: CONCURRENCY, milliseconds }),
      subject: (milliseconds) =>
        load(url, CONCURRENCY, milliseconds, async (send) => {
          const answer = await send({
            method: 'POST',
            path: '/v1/auth/refresh',
            body: { refresh_token: refreshTokens.shift() },
          });
          refreshTokens.push((JSON.parse(answer) as TokenResponse).refresh_token);
        }),
      stop: () => bare.stop(),
    };
  };
};

/**
 * Compares a refresh with its one UPDATE statement; a refresh also costs HTTP, the check of the
 * token and a signature. As in the login comparison, the client's share of the machine counts
 * against the refresh.
 */
export const refresh: Comparison = {
  subject: 'POST /v1/auth/refresh',
  baseline: 'bare UPDATE … RETURNING',
  bar: 0.35,
  prepare: against('update'),
};

/**
 * Compares a refresh with the UPDATE and an RS256 signature, which costs several times as much as
 * the statement. On machines with slow signatures the limit above cannot be reached.
 */
export const refreshWithSignature: Comparison = {
  subject: 'POST /v1/auth/refresh',
  baseline: 'bare UPDATE and an RS256 signature',
  bar: null,
  prepare: against('update-and-sign'),
};
