import { exponentialBackoff, type Jobs, type QueueDefinition } from '@platform/messaging';
import type { Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import type { App } from '../../model/app.entity.js';

export type AppSyncJobs = {
  /**
   * `release`: also where a pipeline outside has the Registry serve a version of its own. `removed`: the app was deleted, and what the
   * Registry has of it goes before another app takes the id. `owner` is the developer of the app; null for an app of nobody. Jobs of a
   * release before have none.
   */
  sync: { app_id: string; owner?: string | null; release?: boolean; removed?: boolean };
};

export const appSyncQueue: QueueDefinition<AppSyncJobs> = {
  name: 'app-sync',
  attempts: 300,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 4,
  owners: 16, // each asks the Registry
  owner: ({ owner }) => owner ?? undefined,
};

/**
 * Brings the Registry's record of an app in line with the gateway's, once the transaction has committed: name, description, category,
 * owner, status, and the version that is served. Call it in every transaction that changes one of these. Needs `outbox.transaction`, or
 * `outbox.wake()` after the commit, to run at once.
 *
 * @param how as in `AppSyncJobs`.
 */
export async function enqueueAppSync(em: EntityManager, jobs: Jobs, appId: string, how: { release?: true } = {}): Promise<void> {
  const [app] = await em.query<Row<App, 'developerId'>[]>('SELECT developer_id FROM apps WHERE app_id = $1', [appId]);
  await jobs.enqueue(em, appSyncQueue, 'sync', { app_id: appId, owner: app?.developer_id ?? null, ...how });
}

/** The same, in the transaction that deletes an app. */
export async function enqueueAppRemoval(em: EntityManager, jobs: Jobs, app: { appId: string; developerId: string | null }): Promise<void> {
  await jobs.enqueue(em, appSyncQueue, 'sync', { app_id: app.appId, owner: app.developerId, removed: true });
}

/** As in `outbox_removals_idx`, whose predicate it has word for word. */
export const FORMER_APPS_JOB = `SELECT 1 FROM outbox
  WHERE queue = 'app-sync' AND payload @> '{"removed": true}' AND payload ->> 'app_id' = $1 LIMIT 1`;

/**
 * Whether what the Registry has under this id is a former app's, which is still to be removed. Nothing of the present one may be pushed
 * until then, or it would go too.
 */
export async function isFormerAppThere(em: EntityManager, appId: string): Promise<boolean> {
  const [job] = await em.query<unknown[]>(FORMER_APPS_JOB, [appId]);
  return job !== undefined;
}
