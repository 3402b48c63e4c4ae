import type { TestService } from './test-service.js';

/** Queues of a `QueueEngine`. Without Redis they are in the schema `gateway_queues`. */
interface Queues {
  redis: { keys(pattern: string): Promise<string[]>; del(keys: string[]): Promise<unknown> } | null;
  prefix: string;
}

/**
 * Deletes all jobs and schedules of the queues, in Redis or PostgreSQL, as a FLUSHALL of Redis
 * does.
 *
 * @throws Error if the service has no queues in PostgreSQL, and there is no Redis.
 */
export async function deleteQueueData(service: TestService, { redis, prefix }: Queues): Promise<void> {
  if (redis) {
    const keys = await redis.keys(`${prefix}:*`);
    if (keys.length) await redis.del(keys);
    return;
  }
  const tables = await service.query<{ name: string }>(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'gateway_queues' AND tablename <> 'migrations'",
  );
  if (!tables.some(({ name }) => name === 'job')) throw new Error('The queues have no table of jobs.');
  for (const name of ['job', 'meta', 'event', 'scheduler']) await service.query(`DELETE FROM gateway_queues.${name}`);
}
