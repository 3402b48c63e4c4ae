import { exponentialBackoff, type Jobs, type QueueDefinition } from '@platform/messaging';
import type { EntityManager } from 'typeorm';

export type AppSyncJobs = {
  /**
   * `release`: also where a pipeline outside has the Registry serve a version of its own. `removed`: the app was deleted, and what the
   * Registry has of it goes before another app takes the id.
   */
  sync: { app_id: string; release?: boolean; removed?: boolean };
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
  const [app] = await em.query<unknown[]>('SELECT 1 FROM apps WHERE app_id = $1', [appId]);
  await jobs.enqueue(em, appSyncQueue, 'sync', { app_id: appId, ...(!app && { removed: true }) });
}

/**
 * Whether what the Registry has under this id is a former app's, which is still to be removed. Nothing of the present one may be pushed
 * until then, or it would go too.
 */
export async function isFormerAppThere(em: EntityManager, appId: string): Promise<boolean> {
  const removal = { app_id: appId, removed: true };
  const [job] = await em.query<unknown[]>('SELECT 1 FROM outbox WHERE queue = $1 AND payload @> $2', [
    appSyncQueue.name,
    JSON.stringify(removal),
  ]);
  return job !== undefined;
}
