import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@platform/client';
import type { UserCaller } from '@platform/guards';
import { JobsService, type QueueDefinition } from '@platform/messaging';
import type { Row } from '@platform/persistence';
import { isUnavailable, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { ExtensionHostClient } from '../../kernel/peers/extension-host/extension-host.client.js';
import { UNINSTALL_NOTICE_PERIOD } from '../run-grants/published-events.js';
import type { DocumentPurge } from './document-purge.entity.js';

/**
 * Time for which data is kept after a removal. The trigger that creates purges has the same value.
 */
const RETENTION = '30 days';
/**
 * Time after a removal at which the last runs for the user have ended, including those that tell
 * the app about its removal. Data that they stored is deleted after this time.
 */
const LAST_RUNS_END_AFTER = `(interval '${UNINSTALL_NOTICE_PERIOD}' + interval '1 hour')`;
/** Time after which an attempt that was not finished is repeated. */
const RETRY_AFTER = '5 minutes';
/** Most requests of one purge in a row; then other purges have their turn. */
const MAX_REQUESTS_PER_TURN = 10;
const TURNS_AT_ONCE = 100;
const DUE_AT_ONCE = 10_000;
const MOST_ROUNDS = 1_000;
const SWEEP_EVERY_MS = 60_000;

export const documentPurgeQueue: QueueDefinition<{ purge: Record<string, never> }> = {
  name: 'document-purges',
  attempts: 1,
  backoff: () => SWEEP_EVERY_MS,
  concurrency: 2,
};

/**
 * Identifies a purge, as long as no other process has taken or changed it. Times are text, exact to
 * the microsecond.
 */
interface Claim {
  user_id: string;
  app_id: string;
  is_asked: boolean;
  due_at: string;
}

interface ClaimedPurge extends Claim {
  tenant_id: string | null;
  /** Only data written before this time is deleted. */
  changed_before: string;
  is_last: boolean;
  /** True if the user has the app, even if the purge says otherwise. */
  is_installed: boolean;
  /** True if the user is the app's developer, who has it without an installation. */
  is_developer: boolean;
}

const ALL = '*';
const OF_CLAIM = 'p.user_id = $1 AND p.app_id = $2 AND p.is_asked = $3 AND p.due_at = $4::timestamptz';
const valuesOf = ({ user_id, app_id, is_asked, due_at }: Claim): unknown[] => [user_id, app_id, is_asked, due_at];

/**
 * Deletes data that apps store for users who removed them: after 30 days, or at once if the user
 * requests it or is deleted. Also deletes all data of deleted apps. Data of a user who has the app
 * again is kept: a new installation cancels a purge that the user did not request, and limits a
 * requested one to data from before the installation.
 */
@Injectable()
export class DocumentPurgesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly host: ExtensionHostClient,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly jobs: JobsService,
  ) {
    jobs.registerHandlers(documentPurgeQueue, { purge: () => this.purgeAllDue() });
    jobs.scheduleJob(documentPurgeQueue, 'purge', SWEEP_EVERY_MS);
  }

  /**
   * Requests a purge: the data that the app stores for the user is deleted at once, by a job after
   * the commit. Works for an app that the user has, has removed, however long ago, or develops, and
   * for a deleted app whose data is still kept; does nothing for another app. If the user has the
   * app, only data from before the installation is deleted.
   */
  async requestPurge(em: EntityManager, user: UserCaller, appId: string): Promise<void> {
    const asked = await em.query<unknown[]>(
      `INSERT INTO document_purges AS p (user_id, app_id, is_asked, owner_id, tenant_id, removed_at, due_at, kept_since)
       SELECT u.id, $2, true, u.id, u.tenant_id, coalesce(i.removed_at, k.removed_at, now()), now(),
         CASE WHEN i.removed_at IS NULL AND i.user_id IS NOT NULL THEN i.installed_at WHEN a.developer_id = u.id THEN now() END
       FROM users u LEFT JOIN installs i ON i.user_id = u.id AND i.app_id = $2 LEFT JOIN apps a ON a.app_id = $2
         LEFT JOIN LATERAL (
           SELECT removed_at FROM document_purges WHERE user_id IN (u.id, '${ALL}') AND app_id = $2 ORDER BY removed_at DESC LIMIT 1) k ON true
       WHERE u.id = $1 AND (i.user_id IS NOT NULL OR k.removed_at IS NOT NULL OR a.developer_id = u.id)
       ON CONFLICT (user_id, app_id, is_asked)
         DO UPDATE SET removed_at = excluded.removed_at, due_at = excluded.due_at, kept_since = excluded.kept_since
       RETURNING 1`,
      [user.userId, appId],
    );
    if (!asked.length) return;
    await em.query('DELETE FROM document_purges WHERE user_id = $1 AND app_id = $2 AND NOT is_asked', [
      user.userId,
      appId,
    ]);
    await recordAudit(em, {
      action: 'app.purge_asked',
      target: { type: 'app', id: appId },
      tenantId: user.tenantId,
      metadata: { user_id: user.userId },
    });
    await this.jobs.enqueue(em, documentPurgeQueue, 'purge', {});
  }

  /**
   * Returns the time until which the data of a removed app is kept, in case the user installs the
   * app again; null if no data is kept, because it was deleted or is about to be.
   */
  async findRetentionEnd(userId: string, appId: string): Promise<Date | null> {
    const [purge] = await this.dataSource.query<Row<DocumentPurge, 'dueAt'>[]>(
      `SELECT due_at FROM document_purges WHERE user_id = $1 AND app_id = $2 AND NOT is_asked AND removed_at > now() - interval '${RETENTION}'`,
      [userId, appId],
    );
    return purge?.due_at ?? null;
  }

  /**
   * Deletes the data of all due purges, with turns for their owners. Stops while the host is
   * unavailable, and leaves the rest to the next run. Several processes can run it at the same
   * time.
   */
  async purgeAllDue(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const due = await this.findDue();
      if (!due.length) return;
      try {
        for (const claim of due) await this.purgeSome(claim);
      } catch (error) {
        if (!isUnavailable(error, 'extension_host')) throw error;
        this.logger.warn({ err: error }, 'cannot delete the data of removed apps now; trying again later');
        return;
      }
    }
  }

  private findDue(): Promise<Claim[]> {
    return this.dataSource.query<Claim[]>(
      `SELECT user_id, app_id, is_asked, to_jsonb(due_at) #>> '{}' AS due_at
       FROM (SELECT *, row_number() OVER (PARTITION BY owner_id ORDER BY due_at) AS turn
         FROM (SELECT * FROM document_purges WHERE due_at <= now() ORDER BY due_at LIMIT ${DUE_AT_ONCE}) AS due) AS turns
       ORDER BY turn, due_at LIMIT ${TURNS_AT_ONCE}`,
    );
  }

  /**
   * Deletes the data of one purge, in at most 10 requests to the host; the rest is due again at
   * once. A purge that the user did not request is cancelled if they have the app again, and
   * postponed by 30 days if they develop it. If the host refuses, the purge is tried again after 5
   * minutes, so it does not delay the others.
   *
   * @throws ServiceUnavailable if the host gives no valid answer.
   */
  private async purgeSome(claim: Claim): Promise<void> {
    let held: Claim = claim;
    for (let request = 0; request < MAX_REQUESTS_PER_TURN; request++) {
      const purge = await this.claim(held);
      if (!purge) return;
      held = purge;
      if (!purge.is_asked && purge.is_installed) return this.deletePurge(purge);
      // The data of a developer's own app is deleted when the app is deleted.
      if (!purge.is_asked && purge.is_developer) return this.postpone(purge, `now() + interval '${RETENTION}'`);
      try {
        if (!(await this.host.purge(requestOf(purge))).has_more) {
          await this.finishPurge(purge);
          return;
        }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { app_id, user_id } = purge;
        this.logger.error({ err: error, app_id, user_id }, 'the data of a removed app was not deleted');
        return;
      }
    }
    await this.postpone(held, 'now()');
  }

  /**
   * Claims the purge before each request, and postpones its next attempt by 5 minutes. Returns null
   * if the purge was cancelled by a new installation, or another process has it.
   */
  private async claim(claim: Claim): Promise<ClaimedPurge | null> {
    const [rows] = await this.dataSource.query<[ClaimedPurge[]]>(
      `UPDATE document_purges p SET due_at = now() + interval '${RETRY_AFTER}'
       FROM (SELECT) one LEFT JOIN installs i ON i.user_id = $1 AND i.app_id = $2 AND i.removed_at IS NULL LEFT JOIN apps a ON a.app_id = $2
       WHERE ${OF_CLAIM}
       RETURNING p.user_id, p.app_id, p.is_asked, to_jsonb(p.due_at) #>> '{}' AS due_at, p.tenant_id,
         to_jsonb(least(now(), p.kept_since, CASE WHEN p.user_id = '${ALL}' THEN a.created_at END)) #>> '{}' AS changed_before,
         p.kept_since IS NOT NULL OR p.removed_at <= now() - ${LAST_RUNS_END_AFTER} AS is_last,
         i.user_id IS NOT NULL AS is_installed, a.developer_id IS NOT DISTINCT FROM p.user_id AS is_developer`,
      valuesOf(claim),
    );
    return rows[0] ?? null;
  }

  private async finishPurge(purge: ClaimedPurge): Promise<void> {
    if (purge.is_last) await this.deletePurge(purge);
    else await this.postpone(purge, `removed_at + ${LAST_RUNS_END_AFTER}`);
  }

  private async deletePurge(claim: Claim): Promise<void> {
    await this.dataSource.query(`DELETE FROM document_purges p WHERE ${OF_CLAIM}`, valuesOf(claim));
  }

  private async postpone(claim: Claim, until: string): Promise<void> {
    await this.dataSource.query(`UPDATE document_purges p SET due_at = ${until} WHERE ${OF_CLAIM}`, valuesOf(claim));
  }
}

/**
 * Creates a purge of all data that apps store for a user who is deleted in this transaction.
 */
export async function schedulePurgeForDeletedUser(em: EntityManager, userId: string): Promise<void> {
  await em.query(
    `INSERT INTO document_purges (user_id, app_id, is_asked, owner_id, tenant_id, removed_at, due_at)
     SELECT id, '${ALL}', true, id, tenant_id, now(), now() FROM users WHERE id = $1
     ON CONFLICT (user_id, app_id, is_asked) DO UPDATE SET due_at = excluded.due_at`,
    [userId],
  );
}

const requestOf = ({ user_id, app_id, tenant_id, changed_before, is_last }: ClaimedPurge) => ({
  user_id: user_id === ALL ? null : user_id,
  app_id: app_id === ALL ? null : app_id,
  tenant_id,
  changed_before,
  with_secrets: is_last,
});
