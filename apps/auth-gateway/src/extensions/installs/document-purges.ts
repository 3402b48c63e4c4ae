import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@platform/client';
import type { UserCaller } from '@platform/guards';
import { Jobs, type QueueDefinition } from '@platform/messaging';
import type { Row } from '@platform/persistence';
import { isUnavailable, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { ExtensionHostClient } from '../../kernel/peers/extension-host/extension-host-client.js';
import { UNINSTALL_NOTICE_PERIOD } from '../run-grants/published-events.js';
import type { DocumentPurge } from './document-purge.entity.js';

/** After a removal. The trigger that notes a purge has the same. */
const KEPT_FOR = '30 days';
/** After a removal: what runs for the user has ended, also the last that the app was told of it. What was kept meanwhile is deleted after it. */
const LAST_RUNS_END_AFTER = `(interval '${UNINSTALL_NOTICE_PERIOD}' + interval '1 hour')`;
/** What is begun and not finished is begun again. */
const AGAIN_AFTER = '5 minutes';
/** After so many requests others have their turn. */
const REQUESTS_IN_TURN = 10;
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

/** A purge, as long as nobody else has taken it or changed it. Times are exact to the microsecond, as text. */
interface Claim {
  user_id: string;
  app_id: string;
  is_asked: boolean;
  due_at: string;
}

interface TakenPurge extends Claim {
  tenant_id: string | null;
  /** What was written since then is not deleted. */
  changed_before: string;
  is_last: boolean;
  /** The user has the app, whatever the row says. */
  is_installed: boolean;
  /** The user has the app without having installed it. */
  is_developer: boolean;
}

const ALL = '*';
const OF_CLAIM = 'p.user_id = $1 AND p.app_id = $2 AND p.is_asked = $3 AND p.due_at = $4::timestamptz';
const valuesOf = ({ user_id, app_id, is_asked, due_at }: Claim): unknown[] => [user_id, app_id, is_asked, due_at];

/**
 * Deletes what apps keep for users who have removed them: 30 days later, or at once when the user wants it or is erased; and all that an app
 * kept which is deleted. Never what a user has again: what nobody asked for ends with a new installation, and what was asked for reaches to
 * the moment of it.
 */
@Injectable()
export class DocumentPurges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly host: ExtensionHostClient,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly jobs: Jobs,
  ) {
    jobs.process(documentPurgeQueue, { purge: () => this.purgeDue() });
    jobs.schedule(documentPurgeQueue, 'purge', SWEEP_EVERY_MS);
  }

  /**
   * At once, of an app that the user has removed, perhaps long ago, or develops; of one that they never had nothing. If they have it again by
   * now, up to then. The job is done after the commit.
   */
  async ask(em: EntityManager, user: UserCaller, appId: string): Promise<void> {
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
    await em.query('DELETE FROM document_purges WHERE user_id = $1 AND app_id = $2 AND NOT is_asked', [user.userId, appId]);
    await recordAudit(em, {
      action: 'app.purge_asked',
      target: { type: 'app', id: appId },
      tenantId: user.tenantId,
      metadata: { user_id: user.userId },
    });
    await this.jobs.enqueue(em, documentPurgeQueue, 'purge', {});
  }

  /** Until when what an app keeps waits for the user to install it again; null where it is deleted by now, or about to be. */
  async keptUntil(userId: string, appId: string): Promise<Date | null> {
    const [purge] = await this.dataSource.query<Row<DocumentPurge, 'dueAt'>[]>(
      `SELECT due_at FROM document_purges WHERE user_id = $1 AND app_id = $2 AND NOT is_asked AND removed_at > now() - interval '${KEPT_FOR}'`,
      [userId, appId],
    );
    return purge?.due_at ?? null;
  }

  /** Does what is due, in turns of those whose it is. While the host is away it waits; several processes may be at it. */
  async purgeDue(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const due = await this.due();
      if (!due.length) return;
      try {
        for (const claim of due) await this.takeTurn(claim);
      } catch (error) {
        if (!isUnavailable(error, 'extension_host')) throw error;
        this.logger.warn({ err: error }, 'what removed apps keep cannot be deleted at the moment; later again');
        return;
      }
    }
  }

  private due(): Promise<Claim[]> {
    return this.dataSource.query<Claim[]>(
      `SELECT user_id, app_id, is_asked, to_jsonb(due_at) #>> '{}' AS due_at
       FROM (SELECT *, row_number() OVER (PARTITION BY owner_id ORDER BY due_at) AS turn
         FROM (SELECT * FROM document_purges WHERE due_at <= now() ORDER BY due_at LIMIT ${DUE_AT_ONCE}) AS due) AS turns
       ORDER BY turn, due_at LIMIT ${TURNS_AT_ONCE}`,
    );
  }

  /** What throws, or is cut off, is put off: it keeps nobody else waiting. */
  private async takeTurn(claim: Claim): Promise<void> {
    let held: Claim = claim;
    for (let request = 0; request < REQUESTS_IN_TURN; request++) {
      const purge = await this.take(held);
      if (!purge) return;
      held = purge;
      if (!purge.is_asked && purge.is_installed) return this.drop(purge);
      // Once it is deleted, all that the app keeps is.
      if (!purge.is_asked && purge.is_developer) return this.putOff(purge, `now() + interval '${KEPT_FOR}'`);
      try {
        if (!(await this.host.purge(requestOf(purge))).has_more) {
          await this.finish(purge);
          return;
        }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { app_id, user_id } = purge;
        this.logger.error({ err: error, app_id, user_id }, 'what a removed app keeps was not deleted');
        return;
      }
    }
    await this.putOff(held, 'now()');
  }

  /** Looks again before each request: null when the user has the app again, or somebody else is at it. What is taken is put off. */
  private async take(claim: Claim): Promise<TakenPurge | null> {
    const [rows] = await this.dataSource.query<[TakenPurge[]]>(
      `UPDATE document_purges p SET due_at = now() + interval '${AGAIN_AFTER}'
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

  private async finish(purge: TakenPurge): Promise<void> {
    if (purge.is_last) await this.drop(purge);
    else await this.putOff(purge, `removed_at + ${LAST_RUNS_END_AFTER}`);
  }

  private async drop(claim: Claim): Promise<void> {
    await this.dataSource.query(`DELETE FROM document_purges p WHERE ${OF_CLAIM}`, valuesOf(claim));
  }

  private async putOff(claim: Claim, until: string): Promise<void> {
    await this.dataSource.query(`UPDATE document_purges p SET due_at = ${until} WHERE ${OF_CLAIM}`, valuesOf(claim));
  }
}

/** All that apps keep for a user who is erased in this transaction. */
export async function purgeErased(em: EntityManager, userId: string): Promise<void> {
  await em.query(
    `INSERT INTO document_purges (user_id, app_id, is_asked, owner_id, tenant_id, removed_at, due_at)
     SELECT id, '${ALL}', true, id, tenant_id, now(), now() FROM users WHERE id = $1
     ON CONFLICT (user_id, app_id, is_asked) DO UPDATE SET due_at = excluded.due_at`,
    [userId],
  );
}

const requestOf = ({ user_id, app_id, tenant_id, changed_before, is_last }: TakenPurge) => ({
  user_id: user_id === ALL ? null : user_id,
  app_id: app_id === ALL ? null : app_id,
  tenant_id,
  changed_before,
  with_secrets: is_last,
});
