import { exponentialBackoff, type Jobs, type QueueDefinition } from '@platform/messaging';
import type { EntityManager } from 'typeorm';

export type AppSyncJobs = {
  /** `release`: also where an outside pipeline has the Registry serve a version of its own. */
  sync: { app_id: string; release?: boolean };
};

/** A Registry that is down is tried for about a day, at least every 5 minutes. */
export const appSyncQueue: QueueDefinition<AppSyncJobs> = {
  name: 'app-sync',
  attempts: 300,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 4,
};

/**
 * Brings the Registry's record of an app in line with the gateway's, once the transaction has committed: name, description, category,
 * owner, status, the version that is served, and the removal when the app is gone from `apps`. Call it in every transaction that
 * changes one of these. Needs `outbox.transaction`, or `outbox.wake()` after the commit, to run at once.
 */
export async function enqueueAppSync(em: EntityManager, jobs: Jobs, appId: string): Promise<void> {
  await jobs.enqueue(em, appSyncQueue, 'sync', { app_id: appId });
}
