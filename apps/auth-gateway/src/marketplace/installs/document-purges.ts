import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@platform/client';
import { Jobs, type QueueDefinition } from '@platform/messaging';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { ExtensionHostClient } from '../../extension-host/extension-host-client.js';
import { ExtensionHostUnavailable } from '../../extension-host/extension-host.errors.js';

const KEPT_FOR = '30 days';
/** After a removal: longer than the app is told of it, and than what runs for the user by then. What was kept meanwhile is deleted after it. */
const LAST_RUNS_END_AFTER = '2 hours';
const AGAIN_AFTER = '1 hour';
const AT_ONCE = 100;
const MOST_BATCHES = 1_000;
const SWEEP_EVERY_MS = 60_000;

export const documentPurgeQueue: QueueDefinition<{ purge: Record<string, never> }> = {
  name: 'document-purges',
  attempts: 1,
  backoff: () => SWEEP_EVERY_MS,
  concurrency: 1,
};

/** A change of an install, as the gateway comes to know it. */
interface KnownInstall {
  user_id: string;
  app_id: string;
  is_removed: boolean;
}

interface DuePurge {
  user_id: string;
  app_id: string;
  revision: string;
  tenant_id: string;
  /** Exact to the microsecond, as text. */
  created_before: string;
  is_last: boolean;
}

/** Deletes what apps keep for users who have removed them: 30 days later, or at once when the user wants it. */
@Injectable()
export class DocumentPurges {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(ExtensionHostClient) private readonly host: ExtensionHostClient,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Jobs) private readonly jobs: Jobs,
  ) {
    jobs.process(documentPurgeQueue, { purge: () => this.purgeDue() });
    jobs.schedule(documentPurgeQueue, 'purge', SWEEP_EVERY_MS);
  }

  /** In the transaction that copies them: what was removed is to be deleted, what was installed again is not, unless its user has asked for it. */
  async note(em: EntityManager, changes: readonly KnownInstall[]): Promise<void> {
    if (!changes.length) return;
    const installs = `(SELECT i.*, u.erased_at FROM jsonb_to_recordset($1) AS c (user_id text, app_id text)
      JOIN installs i ON i.user_id = c.user_id AND i.app_id = c.app_id JOIN users u ON u.id = i.user_id)`;
    const values = [JSON.stringify(changes)];
    await em.query(
      `INSERT INTO document_purges (user_id, app_id, revision, tenant_id, removed_at, due_at, is_asked)
       SELECT user_id, app_id, revision, tenant_id, removed_at,
         CASE WHEN erased_at IS NULL THEN removed_at + interval '${KEPT_FOR}' ELSE now() END, erased_at IS NOT NULL
       FROM ${installs} i WHERE removed_at IS NOT NULL ON CONFLICT DO NOTHING`,
      values,
    );
    await em.query(
      `DELETE FROM document_purges p USING ${installs} i
       WHERE i.removed_at IS NULL AND p.user_id = i.user_id AND p.app_id = i.app_id AND NOT p.is_asked`,
      values,
    );
    await em.query(
      `UPDATE document_purges p SET reinstalled_at = i.installed_at FROM ${installs} i
       WHERE i.removed_at IS NULL AND p.user_id = i.user_id AND p.app_id = i.app_id AND p.reinstalled_at IS NULL`,
      values,
    );
  }

  /** At once, of an app that the user has removed; of one that they have or never had nothing. The job is done after the commit. */
  async ask(em: EntityManager, userId: string, appId: string): Promise<void> {
    const asked = await em.query<unknown[]>(
      `INSERT INTO document_purges AS p (user_id, app_id, revision, tenant_id, removed_at, due_at, is_asked)
       SELECT user_id, app_id, revision, tenant_id, removed_at, now(), true FROM installs
       WHERE user_id = $1 AND app_id = $2 AND removed_at IS NOT NULL
       ON CONFLICT (user_id, app_id, revision) DO UPDATE SET is_asked = true, due_at = now() WHERE NOT p.is_asked RETURNING 1`,
      [userId, appId],
    );
    if (asked.length) await this.jobs.enqueue(em, documentPurgeQueue, 'purge', {});
  }

  /** Of all apps that a user had who was erased. */
  async askAll(userId: string): Promise<void> {
    await this.dataSource.query('UPDATE document_purges SET is_asked = true, due_at = now() WHERE user_id = $1 AND NOT is_asked', [userId]);
  }

  /** Until when what an app keeps waits for the user to install it again; null where it is deleted by now, or about to be. */
  async keptUntil(userId: string, appId: string): Promise<Date | null> {
    const [purge] = await this.dataSource.query<{ due_at: Date }[]>(
      'SELECT due_at FROM document_purges WHERE user_id = $1 AND app_id = $2 AND NOT is_asked',
      [userId, appId],
    );
    return purge?.due_at ?? null;
  }

  /** Does what is due. While the host is away it waits; several processes may be at it. */
  async purgeDue(): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const due = await this.dataSource.query<DuePurge[]>(
        `SELECT user_id, app_id, revision, tenant_id, removed_at <= now() - interval '${LAST_RUNS_END_AFTER}' AS is_last,
           to_jsonb(coalesce(reinstalled_at, now())) #>> '{}' AS created_before
         FROM document_purges WHERE due_at <= now() ORDER BY due_at LIMIT ${AT_ONCE}`,
      );
      try {
        for (const purge of due) await this.purge(purge);
      } catch (error) {
        if (!(error instanceof ExtensionHostUnavailable)) throw error;
        this.logger.warn({ err: error }, 'what removed apps keep cannot be deleted at the moment; later again');
        return;
      }
      if (due.length < AT_ONCE) return;
    }
  }

  private async purge(purge: DuePurge): Promise<void> {
    const { user_id, app_id, revision, tenant_id, created_before, is_last } = purge;
    try {
      const request = { user_id, tenant_id, created_before, with_secrets: is_last };
      while ((await this.host.purge(app_id, request)).has_more);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // One that cannot be done must not keep the others waiting.
      this.logger.error({ err: error, app_id, user_id }, 'what a removed app keeps was not deleted');
      await this.dataSource.query(
        `UPDATE document_purges SET due_at = now() + interval '${AGAIN_AFTER}' WHERE user_id = $1 AND app_id = $2 AND revision = $3`,
        [user_id, app_id, revision],
      );
      return;
    }
    await this.dataSource.query(
      is_last
        ? 'DELETE FROM document_purges WHERE user_id = $1 AND app_id = $2 AND revision = $3'
        : `UPDATE document_purges SET due_at = removed_at + interval '${LAST_RUNS_END_AFTER}' WHERE user_id = $1 AND app_id = $2 AND revision = $3`,
      [user_id, app_id, revision],
    );
  }
}

/** Of an app that is deleted, of those who have it; in place of their installs. */
export const PURGES_OF_DELETED = `INSERT INTO document_purges (user_id, app_id, revision, tenant_id, removed_at, due_at)
  SELECT user_id, app_id, revision, tenant_id, now(), now() + interval '${KEPT_FOR}' FROM purged WHERE removed_at IS NULL ON CONFLICT DO NOTHING`;
