import { ENTRY_IS_IN_QUEUE, ENTRY_WAITS } from '@platform/persistence';
import { Gauge, type Registry } from 'prom-client';
import type { DataSource } from 'typeorm';

/**
 * Maximum number of waiting jobs that are counted for each queue, and of handed-over jobs that are
 * counted in all queues together. So a query takes some milliseconds for any number of jobs.
 */
export const MOST_COUNTED = 10_000;

/**
 * Due jobs of each queue: jobs that wait for their turn, and jobs that were handed to the queue and
 * are not done. Every job has a row in the outbox on both engines, so one statement counts them
 * all.
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

/**
 * Registers the gauges `queue_jobs_due` and `queue_oldest_due_seconds`, by queue: the number of due
 * jobs, and the age of the oldest in seconds. A job is due from its turn until it is done; a job
 * that waits for a later attempt is not due. At most about 20,000 jobs of a queue are counted. Each
 * read of the metrics queries the outbox.
 */
export function registerQueueGauges(registry: Registry, dataSource: DataSource, queues: () => string[]): void {
  let look: Promise<void> | undefined;
  /** Both gauges share one query. */
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
    help: 'Age of the oldest due job; 0 if there is none. For a queue with more jobs than are counted, the oldest counted job',
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
