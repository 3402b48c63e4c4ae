import { BareProcess } from '../bare/process.js';
import { load } from '../load/http.js';
import { CONNECTIONS, UNGUARDED } from './me.js';
import type { Comparison, Sides } from '../comparing/comparison.js';
import { POOL_SIZE, type BenchPlatform } from '../platform/bench-platform.js';

/**
 * Polls while the user has not decided yet. Each poll stores its time, because the rate limit is
 * judged by the last poll.
 */
export const polls = ({ population: { deviceLogins } }: BenchPlatform, url: string): Sides['subject'] => {
  let next = 0;
  return (milliseconds) =>
    load(url, CONNECTIONS, milliseconds, (send) =>
      send({ method: 'POST', path: '/v1/auth/cli/device/token', body: deviceLogins[next++ % deviceLogins.length] }),
    );
};

export const devicePoll: Comparison = {
  subject: 'POST /v1/auth/cli/device/token',
  baseline: 'an unguarded route, jwks.json',
  bar: 0.5,
  prepare: (platform, url) => ({
    baseline: (milliseconds) => load(url, CONNECTIONS, milliseconds, (send) => send(UNGUARDED)),
    subject: polls(platform, url),
  }),
};

export const devicePollAgainstUpdate: Comparison = {
  subject: 'POST /v1/auth/cli/device/token',
  baseline: 'bare UPDATE … RETURNING',
  bar: null,
  prepare(platform, url) {
    const bare = BareProcess.start('update', {
      DATABASE_URL: platform.databaseUrl,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
    });
    return {
      baseline: (milliseconds) => bare.run({ concurrency: CONNECTIONS, milliseconds }),
      subject: polls(platform, url),
      stop: () => bare.stop(),
    };
  },
};
