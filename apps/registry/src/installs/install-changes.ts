import { Injectable } from '@nestjs/common';
import type { InstallChange, InstallChangesQuery, InstallChangesResponse } from '@platform/contracts';
import { Errors } from '@platform/platform';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';

/** As in the triggers of `migrations/1764000000000-registry.ts`. */
const INSTALL_REVISIONS_LOCK = '6158203847120394856';
const LOCK_NOT_AVAILABLE = '55P03';

/** Before the locks on rows, by whoever takes some before it changes installs; the changes themselves take it too. */
export async function lockRevisions(em: EntityManager): Promise<void> {
  await em.query(`SELECT pg_advisory_xact_lock_shared(${INSTALL_REVISIONS_LOCK})`);
}

/** What changed among the installs, for the gateway's copy of them. */
@Injectable()
export class InstallChanges {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * No change is ever missed: revisions are not committed in their order, so this waits until every transaction that took one has ended,
   * and lets none take another while it reads. An install that changes again comes again, with its new revision.
   *
   * @throws AppError 503 when it had to wait for more than 2 s.
   */
  async after({ after, limit }: InstallChangesQuery): Promise<InstallChangesResponse> {
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

/** Removes an app from all who have it, in the transaction that deletes the app and has locked the revisions. Returns how many had it. */
export async function removeInstallsOf(em: EntityManager, appId: string): Promise<number> {
  const [, removed] = await em.query<[unknown[], number]>(
    'UPDATE installs SET live_app_id = NULL, removed_at = now() WHERE live_app_id = $1',
    [appId],
  );
  return removed;
}
