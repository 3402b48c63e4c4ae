import { Inject, Injectable } from '@nestjs/common';
import { Jobs, type QueueDefinition } from '@platform/messaging';
import { sweepInTurn } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAudit, type AuditEntry } from '../record-audit.js';
import type { TallyKind } from './sign-in-tally.entity.js';

interface Row {
  user_id: string | null;
  outcome: 'signed_in' | 'failed';
  how: string;
  session_id: string | null;
  surface: string | null;
  failures: number | null;
  blocked_seconds: number | null;
  ip_address: string | null;
  user_agent: string | null;
  request_id: string | null;
  at: Date;
}

interface Tally {
  kind: TallyKind;
  times: string;
  since: Date;
}

/** How many entries of the last hour there are already. */
interface Written {
  /** By user. */
  signIns: Map<string, number>;
  failures: Map<string, number>;
  failuresOfAll: number;
}

type AuditJobs = { write: Record<string, never> };

/** What fails is done by the next run. */
const queue: QueueDefinition<AuditJobs> = { name: 'sign-in-audit', attempts: 1, backoff: () => 0, concurrency: 1, isRoutine: true };

const WRITE_EVERY_MS = 3_000;
/** One append to a chain, which nobody else may append to meanwhile. */
const BATCH = 200;
/** Entries of one account in an hour, of either kind. */
export const MOST_OF_ONE = 30;
/** Entries of failures in a tenant in an hour. */
export const MOST_FAILURES = 300;
const TALLY_EVERY = '10 minutes';

const SIGNED_IN = 'user.signed_in';
const FAILED = 'user.sign_in_failed';
const TALLIED: Record<TallyKind, string> = {
  unknown_account: 'tenant.sign_ins_failed',
  more_failures: 'tenant.sign_ins_failed',
  more_sign_ins: 'tenant.users_signed_in',
};

/**
 * Takes sign-ins and failed ones into the audit log. Whoever signs in takes no lock of their tenant's chain: a row is written beside the session,
 * or beside the count of wrong passwords, and a job appends what has come, many at once. What a stranger can cause is bounded: beyond some
 * entries in an hour, and for accounts that there are not, the log tells a number every ten minutes.
 */
@Injectable()
export class SignInAudit {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Jobs) jobs: Jobs,
  ) {
    jobs.process(queue, { write: () => this.write() });
    jobs.schedule(queue, 'write', WRITE_EVERY_MS);
  }

  /** Takes in what there is, of the tenants in turn: one that has much takes no time of the others. */
  async write(): Promise<void> {
    const tenants = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM tenants t WHERE EXISTS (SELECT FROM sign_in_records WHERE tenant_id = t.id)
         OR EXISTS (SELECT FROM sign_in_tallies WHERE tenant_id = t.id AND times > 0 AND (written_at IS NULL OR written_at < now() - interval '${TALLY_EVERY}'))`,
    );
    await sweepInTurn(
      tenants.map(
        ({ id }) =>
          () =>
            this.writeBatch(id),
      ),
      WRITE_EVERY_MS,
      BATCH,
    );
  }

  /** Returns how many rows it took. */
  private writeBatch(tenantId: string): Promise<number> {
    return this.dataSource.transaction(async (em) => {
      const [lock] = await em.query<{ taken: boolean }[]>(
        "SELECT pg_try_advisory_xact_lock(hashtext('sign-in audit'), hashtext($1)) AS taken",
        [tenantId],
      );
      if (!lock?.taken) return 0; // another process is at it
      const [rows] = await em.query<[Row[], number]>(
        `DELETE FROM sign_in_records WHERE id IN (SELECT id FROM sign_in_records WHERE tenant_id = $1 ORDER BY id LIMIT ${BATCH}) RETURNING *`,
        [tenantId],
      );
      rows.sort((one, other) => one.at.getTime() - other.at.getTime());
      const written = await writtenOf(em, tenantId, rows);
      for (const group of grouped(rows)) {
        const kind = tallyOf(group, written);
        if (kind) await tally(em, tenantId, kind, group);
        else await recordAudit(em, entryOf(tenantId, group));
      }
      await this.writeTallies(em, tenantId);
      return rows.length;
    });
  }

  private async writeTallies(em: EntityManager, tenantId: string): Promise<void> {
    const due = await em.query<Tally[]>(
      `SELECT kind, times, since FROM sign_in_tallies
       WHERE tenant_id = $1 AND times > 0 AND (written_at IS NULL OR written_at < now() - interval '${TALLY_EVERY}') ORDER BY kind`,
      [tenantId],
    );
    for (const { kind, times, since } of due) {
      const metadata = { reason: kind, times: Number(times), since };
      await recordAudit(em, { action: TALLIED[kind], target: { type: 'tenant', id: tenantId }, tenantId, metadata, ...BY_THE_PLATFORM });
      await em.query('UPDATE sign_in_tallies SET times = 0, written_at = now() WHERE tenant_id = $1 AND kind = $2', [tenantId, kind]);
    }
  }
}

const BY_THE_PLATFORM = {
  actor: { type: 'system', id: 'platform' },
  origin: { ipAddress: null, userAgent: null, requestId: null },
} as const satisfies Partial<AuditEntry>;

/** Failures of an account from one address for one reason are told together; a sign-in stands for itself. */
function grouped(rows: Row[]): Row[][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const { outcome, user_id: userId, how, ip_address: address, session_id: session } = row;
    const key = JSON.stringify(outcome === 'signed_in' ? [session] : userId === null ? [] : [userId, how, address]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

async function writtenOf(em: EntityManager, tenantId: string, rows: Row[]): Promise<Written> {
  const users = (outcome: Row['outcome']) => [...new Set(rows.flatMap((row) => (row.outcome === outcome ? (row.user_id ?? []) : [])))];
  const count = async (column: 'actor_id' | 'target_id', action: string, ids: string[]) => {
    if (!ids.length) return new Map<string, number>();
    const counts = await em.query<{ id: string; count: number }[]>(
      `SELECT ${column} AS id, count(*)::integer AS count FROM gateway_audit.audit_entries
       WHERE tenant_id = $1 AND ${column} = ANY ($3) AND action = $2 AND created_at > now() - interval '1 hour' GROUP BY 1`,
      [tenantId, action, ids],
    );
    return new Map(counts.map(({ id, count }) => [id, count]));
  };
  const failed = users('failed');
  const [all] = failed.length
    ? await em.query<{ count: number }[]>(
        `SELECT count(*)::integer AS count FROM gateway_audit.audit_entries WHERE tenant_id = $1 AND action = $2 AND created_at > now() - interval '1 hour'`,
        [tenantId, FAILED],
      )
    : [];
  return {
    signIns: await count('target_id', SIGNED_IN, users('signed_in')),
    failures: await count('target_id', FAILED, failed),
    failuresOfAll: all?.count ?? 0,
  };
}

/** As what a group is only counted; null when there is room for an entry, which is taken then. */
function tallyOf([row]: Row[], written: Written): TallyKind | null {
  if (!row?.user_id) return 'unknown_account';
  const isFailure = row.outcome === 'failed';
  const ofAccount = isFailure ? written.failures : written.signIns;
  const count = ofAccount.get(row.user_id) ?? 0;
  if (count >= MOST_OF_ONE) return isFailure ? 'more_failures' : 'more_sign_ins';
  if (isFailure && written.failuresOfAll++ >= MOST_FAILURES) return 'more_failures';
  ofAccount.set(row.user_id, count + 1);
  return null;
}

async function tally(em: EntityManager, tenantId: string, kind: TallyKind, group: Row[]): Promise<void> {
  await em.query(
    `INSERT INTO sign_in_tallies AS known (tenant_id, kind, times, since) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, kind) DO UPDATE SET times = known.times + excluded.times,
       since = CASE WHEN known.times = 0 THEN excluded.since ELSE known.since END`,
    [tenantId, kind, group.length, group[0]?.at],
  );
}

function entryOf(tenantId: string, group: Row[]): AuditEntry {
  const [first, last] = [group[0] as Row, group.at(-1) as Row];
  const userId = last.user_id as string;
  const { at, how, surface, session_id, failures, blocked_seconds } = last;
  const metadata =
    last.outcome === 'signed_in'
      ? { at, method: how, surface, session_id }
      : { at, reason: how, surface, times: group.length, since: first.at, failures, blocked_seconds };
  return {
    action: last.outcome === 'signed_in' ? SIGNED_IN : FAILED,
    target: { type: 'user', id: userId },
    tenantId,
    metadata,
    // Who failed has not shown who they are.
    actor: last.outcome === 'signed_in' ? { type: 'user', id: userId } : BY_THE_PLATFORM.actor,
    origin: { ipAddress: last.ip_address, userAgent: last.user_agent, requestId: last.request_id },
  };
}
