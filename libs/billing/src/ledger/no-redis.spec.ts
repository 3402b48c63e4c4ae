import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SOURCES = resolve('libs/billing/src');
/** Scheduled booking and idempotency keys of requests belong to the gateway. */
const QUEUES_OR_REDIS = /from '(?:ioredis|bullmq|@platform\/(?:messaging|guards))'|\bredis\b/i;

it('fault 21: libs/billing imports neither Redis nor a queue', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => QUEUES_OR_REDIS.test(readFileSync(join(SOURCES, file), 'utf8')))).toEqual([]);
});
