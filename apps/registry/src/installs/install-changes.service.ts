import { Injectable } from '@nestjs/common';
import type { InstallChange, InstallChangesQuery, InstallChangesResponse } from '@platform/contracts';
import { Errors } from '@platform/platform';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';

/** Must equal the number in the triggers of `migrations/baseline/registry.ts`. */
const INSTALL_REVISIONS_LOCK = '6158203847120394856';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Takes the lock that each change of an install takes, until the transaction ends. A transaction
 * that locks rows before it changes installs calls this first, so that the order of locks stays the
 * same.
 */
export async function lockRevisions(em: EntityManager): Promise<void> {
  await em.query(`SELECT pg_advisory_xact_lock_shared(${INSTALL_REVISIONS_LOCK})`);
}

/** Changes of installs, from which the gateway updates its copy. */
@Injectable()
export class InstallChangesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Changes of installs after a revision, at most `limit`, oldest first. An install that changes
   * again appears again, with its new revision. No change is missed: transactions do not commit in
   * the order of their revisions, so this waits until each transaction that took a revision has
   * ended, and blocks new ones while it reads.
   *
   * @throws AppError 503 `unavailable` after 2 s of waiting.
   */
  async listChanges({ after, limit }: InstallChangesQuery): Promise<InstallChangesResponse> {
    const rows = await this.dataSource.transaction(async (em) => {
      await em.query("SET LOCAL lock_timeout = '2s'");
      await em.query(`SELECT pg_advisory_xact_lock(${INSTALL_REVISIONS_LOCK})`).catch((error: unknown) => {
        throw error instanceof QueryFailedError && (error.driverError as { code?: string }).code === LOCK_NOT_AVAILABLE
          ? Errors.unavailable(error)
          : error;
      });
      return em.query<(Omit<InstallChange, 'revision'> & { revision: string })[]>(
        `SELECT user_id, app_id, removed_at IS NULL AS installed, installed_at, removed_at, changed_by, revision
         FROM installs WHERE revision > $1 ORDER BY revision LIMIT $2`,
        [after, limit + 1],
      );
    });
    const changes = rows.slice(0, limit).map((row) => ({ ...row, revision: Number(row.revision) }));
    return { changes, next_after: changes.at(-1)?.revision ?? after, has_more: rows.length > limit };
  }
}

/**
 * Removes an app from all users, in the transaction that deletes the app and called
 * `lockRevisions`. Returns the number of users.
 */
export async function removeInstallsOf(em: EntityManager, appId: string): Promise<number> {
  const [, removed] = await em.query<[unknown[], number]>(
    'UPDATE installs SET live_app_id = NULL, removed_at = now() WHERE live_app_id = $1',
    [appId],
  );
  return removed;
}
