import { ENTRY_IS_IN_QUEUE, ENTRY_WAITS } from '@platform/persistence';
import { Gauge, type Registry } from 'prom-client';
import type { DataSource } from 'typeorm';

/** No more jobs of a queue are counted, and no more of those that were handed over, so that a look takes some milliseconds however many there are. */
export const MOST_COUNTED = 10_000;

/**
 * The due jobs of each queue: those that wait for their turn, and those handed over to the queue and not done. Every job has a row in the outbox on both
 * engines, so one statement counts them all.
 */
const DUE_BY_QUEUE = `
  WITH handed_over AS MATERIALIZED (
    SELECT queue, created_at FROM outbox WHERE ${ENTRY_IS_IN_QUEUE} ORDER BY dispatched_at LIMIT ${MOST_COUNTED})
  SELECT q AS queue, count(since)::int AS jobs,
         coalesce(greatest(extract(epoch FROM clock_timestamp() - min(since)), 0), 0)::float AS oldest_seconds
  FROM unnest($1::text[]) AS queues (q)
  LEFT JOIN LATERAL (
    SELECT created_at FROM handed_over h WHERE h.queue = q
    UNION ALL
    (SELECT created_at FROM outbox o WHERE o.queue = q AND ${ENTRY_WAITS} LIMIT ${MOST_COUNTED})) AS due (since) ON true
  GROUP BY q`;

interface QueueState {
  queue: string;
  jobs: number;
  oldest_seconds: number;
}

/** How many jobs of each queue are due, and for how long the oldest is. */
export function gaugeQueues(registry: Registry, dataSource: DataSource, queues: () => string[]): void {
  let look: Promise<void> | undefined;
  /** One look serves both gauges. */
  const collect = (): Promise<void> => (look ??= read().finally(() => (look = undefined)));
  const jobs = new Gauge({
    name: 'queue_jobs_due',
    help: 'Jobs that wait for their turn, are in the queue, or run. At most about 20,000 of a queue are counted',
    labelNames: ['queue'],
    collect,
    registers: [registry],
  });
  const ages = new Gauge({
    name: 'queue_oldest_due_seconds',
    help: 'For how long the oldest due job is due; 0 for none. Of a queue with more jobs than are counted, the oldest one counted',
    labelNames: ['queue'],
    collect,
    registers: [registry],
  });
  async function read(): Promise<void> {
    const states = await dataSource.query<QueueState[]>(DUE_BY_QUEUE, [queues()]);
    for (const { queue, jobs: count, oldest_seconds: seconds } of states) {
      jobs.set({ queue }, count);
      ages.set({ queue }, seconds);
    }
  }
}
