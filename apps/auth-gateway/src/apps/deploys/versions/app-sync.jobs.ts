import { exponentialBackoff, type JobsService, type QueueDefinition } from '@platform/messaging';
import type { Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import type { App } from '../../model/app.entity.js';

export type AppSyncJobs = {
  /**
   * Options of one sync. `release`: replace the served version at the Registry even if an external
   * pipeline released its own. `removed`: the app was deleted; delete its copy at the Registry
   * before another app takes the id. `owner`: developer of the app; null for a system app.
   */
  sync: { app_id: string; owner: string | null; release?: boolean; removed?: boolean };
};

export const appSyncQueue: QueueDefinition<AppSyncJobs> = {
  name: 'app-sync',
  attempts: 300,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 4,
  owners: 16, // each slot can call the Registry
  owner: ({ owner }) => owner ?? undefined,
};

/**
 * Enqueues a job that updates the record of an app at the Registry service after the commit: name,
 * description, category, owner, status and served version. Call it in every transaction that
 * changes one of these. The job starts at once only with `outbox.transaction`, or with
 * `outbox.wake()` after the commit.
 *
 * @param how with `release`, the served version replaces one that an external pipeline released at
 * the Registry.
 */
export async function enqueueAppSync(
  em: EntityManager,
  jobs: JobsService,
  appId: string,
  how: { release?: true } = {},
): Promise<void> {
  const [app] = await em.query<Row<App, 'developerId'>[]>('SELECT developer_id FROM apps WHERE app_id = $1', [appId]);
  await jobs.enqueue(em, appSyncQueue, 'sync', { app_id: appId, owner: app?.developer_id ?? null, ...how });
}

/**
 * Enqueues a job that deletes the record of an app at the Registry service after the commit, for
 * the transaction that deletes the app. The job starts at once only with `outbox.transaction`, or
 * with `outbox.wake()` after the commit.
 */
export async function enqueueAppRemoval(
  em: EntityManager,
  jobs: JobsService,
  app: { appId: string; developerId: string | null },
): Promise<void> {
  await jobs.enqueue(em, appSyncQueue, 'sync', { app_id: app.appId, owner: app.developerId, removed: true });
}

/** The condition repeats the predicate of the index `outbox_removals_idx` word for word. */
export const FORMER_APPS_JOB = `SELECT 1 FROM outbox
  WHERE queue = 'app-sync' AND payload @> '{"removed": true}' AND payload ->> 'app_id' = $1 LIMIT 1`;

/**
 * True while the job that removes a deleted app with this id from the Registry has not finished.
 * Push nothing for the present app until then: the removal would delete that too.
 */
export async function isAppRemovalPending(em: EntityManager, appId: string): Promise<boolean> {
  const [job] = await em.query<unknown[]>(FORMER_APPS_JOB, [appId]);
  return job !== undefined;
}
