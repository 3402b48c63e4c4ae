import { Inject, Injectable } from '@nestjs/common';
import { JobsService } from '@platform/messaging';
import { columns, runInTurn, type Row, type RowOf } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAudit, type AuditEntry } from '../../kernel/audit/record-audit.js';
import { publishSignIns } from './sign-in-events.js';
import { UNKNOWN_TENANT } from './failed-sign-ins.js';
import { signInAuditQueue } from './sign-in-audit.jobs.js';
import { SignInRecord } from './sign-in-record.entity.js';
import { SignInTally, type Counts, type TallyKind } from './sign-in-tally.entity.js';

type SignIn = Row<SignInRecord>;

const TALLY = columns(SignInTally, ['kind', 'times', 'since', 'accounts', 'addresses']);
const REMEMBERED_OF_TALLY = columns(SignInTally, ['accounts', 'addresses']);

/** Number of audit entries of the last hour. */
interface Written {
  /** By user. */
  signIns: Map<string, number>;
  failures: Map<string, number>;
  /** Failures of all users, without the first one of each user. */
  furtherFailures: number;
}

const WRITE_EVERY_MS = 3_000;
/**
 * Rows per transaction. Each transaction appends to the chain of a tenant, which blocks other
 * appends.
 */
const BATCH = 200;
/** Maximum entries of one account per hour, for logins and failures each. */
export const MAX_ENTRIES_PER_ACCOUNT = 30;
/**
 * Maximum failure entries of a tenant per hour. The first failure of each account is always written
 * and does not count.
 */
export const MAX_FURTHER_FAILURES = 300;
const TALLY_EVERY = '10 minutes';
/**
 * Accounts and addresses with the highest counts: 100 are stored in a tally, 5 appear in its audit
 * entry.
 */
const REMEMBERED = 100;
const SHOWN_IN_ENTRY = 5;

const SIGNED_IN = 'user.signed_in';
const FAILED = 'user.sign_in_failed';
const TALLIED: Record<TallyKind, string> = {
  unknown_account: 'tenant.sign_ins_failed',
  unknown_tenant: 'tenant.sign_ins_failed',
  more_failures: 'tenant.sign_ins_failed',
  more_sign_ins: 'tenant.users_signed_in',
};

/**
 * Moves logins and failed logins into the audit log, and publishes events to the users. A login
 * must not lock the audit chain of its tenant: it only writes a row, together with the session or
 * the count of wrong passwords. A job appends many rows at once. Strangers can cause only a limited
 * number of entries and cannot hide an attack: the first failure of an account in an hour always
 * gets an entry. Above the limits, and for unknown accounts, an entry every ten minutes has the
 * number of failures and the accounts and addresses with the highest counts.
 */
@Injectable()
export class SignInAuditWorker {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(signInAuditQueue, { write: () => this.writeSignIns() });
    jobs.scheduleJob(signInAuditQueue, 'write', WRITE_EVERY_MS);
  }

  /**
   * Writes the recorded logins of all tenants, and the tallies that are due, to the audit log, for
   * about 3 seconds at most; the next run writes the rest. Tenants take turns, so that a busy
   * tenant does not delay the others.
   */
  async writeSignIns(): Promise<void> {
    const tenants = await this.dataSource.query<{ id: string }[]>(
      `SELECT DISTINCT tenant_id AS id FROM sign_in_records
       UNION SELECT tenant_id FROM sign_in_tallies WHERE ${IS_DUE}`,
    );
    const batches = tenants.map(
      ({ id }) =>
        () =>
          this.writeBatch(id),
    );
    await runInTurn(batches, { maxMs: WRITE_EVERY_MS, full: BATCH });
  }

  /**
   * Moves up to 200 recorded logins of a tenant to the audit log: to their own entries or, above
   * the limits (`consumeEntry`), to a tally, which gets an entry every ten minutes. Publishes their
   * events. Returns their number; 0 if another process writes for this tenant.
   */
  private writeBatch(tenantId: string): Promise<number> {
    return this.dataSource.transaction(async (em) => {
      const [lock] = await em.query<{ taken: boolean }[]>(
        "SELECT pg_try_advisory_xact_lock(hashtext('sign-in audit'), hashtext($1)) AS taken",
        [tenantId],
      );
      if (!lock?.taken) return 0; // another process writes this tenant
      const [rows] = await em.query<[SignIn[], number]>(
        `DELETE FROM sign_in_records WHERE id IN (SELECT id FROM sign_in_records WHERE tenant_id = $1 ORDER BY id LIMIT ${BATCH}) RETURNING *`,
        [tenantId],
      );
      rows.sort((one, other) => one.at.getTime() - other.at.getTime());
      const written = await countWritten(em, tenantId, rows);
      const counted = new Map<TallyKind, SignIn[]>();
      for (const group of grouped(rows)) {
        const kind = consumeEntry(group, written);
        if (kind) counted.set(kind, [...(counted.get(kind) ?? []), ...group]);
        else await recordAudit(em, toAuditEntry(tenantId, group));
      }
      for (const [kind, rest] of counted) await addToTally(em, tenantId, kind, rest);
      await this.publishEvents(em, tenantId, rows);
      await this.writeTallies(em, tenantId);
      return rows.length;
    });
  }

  /**
   * Publishes the events of logins to the users. It does so in a savepoint and logs a failure, so
   * that a failure does not prevent the audit entries.
   */
  private async publishEvents(em: EntityManager, tenantId: string, rows: SignIn[]): Promise<void> {
    await em
      .transaction((inner) => publishSignIns(inner, tenantId, rows))
      .catch((error: unknown) =>
        this.logger.error({ err: error, tenant_id: tenantId }, 'could not publish the login events of users'),
      );
  }

  private async writeTallies(em: EntityManager, tenantId: string): Promise<void> {
    const due = await em.query<RowOf<typeof TALLY>[]>(
      `SELECT ${TALLY} FROM sign_in_tallies WHERE tenant_id = $1 AND ${IS_DUE} ORDER BY kind`,
      [tenantId],
    );
    for (const { kind, times, since, accounts, addresses } of due) {
      const metadata = {
        reason: kind,
        times: Number(times),
        since,
        accounts: toTopCounts(accounts, 'user_id'),
        addresses: toTopCounts(addresses, 'ip_address'),
      };
      await recordAudit(em, {
        action: TALLIED[kind],
        target: { type: 'tenant', id: tenantId },
        tenantId,
        metadata,
        ...BY_THE_PLATFORM,
      });
      await em.query(
        "UPDATE sign_in_tallies SET times = 0, accounts = '{}', addresses = '{}', written_at = now() WHERE tenant_id = $1 AND kind = $2",
        [tenantId, kind],
      );
    }
  }
}

const IS_DUE = `times > 0 AND (written_at IS NULL OR written_at < now() - interval '${TALLY_EVERY}')`;

const BY_THE_PLATFORM = {
  actor: { type: 'system', id: 'platform' },
  origin: { ipAddress: null, userAgent: null, requestId: null },
} as const satisfies Partial<AuditEntry>;

/**
 * Groups recorded logins for the audit log. Failures of an account with the same address and reason
 * are one group, and so are failures without an account that have the same reason. Each successful
 * login is its own group.
 */
function grouped(rows: SignIn[]): SignIn[][] {
  const groups = new Map<string, SignIn[]>();
  for (const row of rows) {
    const { outcome, user_id: userId, how, ip_address: address, session_id: session } = row;
    const key = JSON.stringify(outcome === 'signed_in' ? [session] : userId === null ? [how] : [userId, how, address]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

async function countWritten(em: EntityManager, tenantId: string, rows: SignIn[]): Promise<Written> {
  const users = (outcome: SignIn['outcome']) => [
    ...new Set(rows.flatMap((row) => (row.outcome === outcome ? (row.user_id ?? []) : []))),
  ];
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
  const [further] = failed.length
    ? await em.query<{ count: number }[]>(
        `SELECT (count(*) - count(DISTINCT target_id))::integer AS count FROM gateway_audit.audit_entries
         WHERE tenant_id = $1 AND action = $2 AND created_at > now() - interval '1 hour'`,
        [tenantId, FAILED],
      )
    : [];
  return {
    signIns: await count('target_id', SIGNED_IN, users('signed_in')),
    failures: await count('target_id', FAILED, failed),
    furtherFailures: further?.count ?? 0,
  };
}

/**
 * Decides if a group of logins gets its own audit entry, and counts the entry in `written`. An
 * account gets at most 30 entries an hour for logins and 30 for failures; its failures after the
 * first also share 300 entries an hour with those of the tenant. An unknown account gets none.
 * Returns null if the group gets an entry, otherwise the kind of the tally (the count of logins
 * without an entry) to which the group must be added.
 */
function consumeEntry([row]: SignIn[], written: Written): TallyKind | null {
  if (!row?.user_id) return row?.how === UNKNOWN_TENANT ? 'unknown_tenant' : 'unknown_account';
  const isFailure = row.outcome === 'failed';
  const ofAccount = isFailure ? written.failures : written.signIns;
  const count = ofAccount.get(row.user_id) ?? 0;
  if (count >= MAX_ENTRIES_PER_ACCOUNT) return isFailure ? 'more_failures' : 'more_sign_ins';
  if (isFailure && count > 0) {
    if (written.furtherFailures >= MAX_FURTHER_FAILURES) return 'more_failures';
    written.furtherFailures++;
  }
  ofAccount.set(row.user_id, count + 1);
  return null;
}

/**
 * Adds logins to a tally, the count of logins without their own audit entry. The caller holds the
 * lock of the tenant, so there are no concurrent changes.
 */
async function addToTally(em: EntityManager, tenantId: string, kind: TallyKind, rows: SignIn[]): Promise<void> {
  const [known] = await em.query<RowOf<typeof REMEMBERED_OF_TALLY>[]>(
    `SELECT ${REMEMBERED_OF_TALLY} FROM sign_in_tallies WHERE tenant_id = $1 AND kind = $2 AND times > 0`,
    [tenantId, kind],
  );
  const accounts = addCounts(
    known?.accounts,
    rows.map(({ user_id }) => user_id),
  );
  const addresses = addCounts(
    known?.addresses,
    rows.map(({ ip_address }) => ip_address),
  );
  await em.query(
    `INSERT INTO sign_in_tallies AS known (tenant_id, kind, times, since, accounts, addresses) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (tenant_id, kind) DO UPDATE SET times = known.times + excluded.times, accounts = excluded.accounts, addresses = excluded.addresses,
       since = CASE WHEN known.times = 0 THEN excluded.since ELSE known.since END`,
    [tenantId, kind, rows.length, rows[0]?.at, JSON.stringify(accounts), JSON.stringify(addresses)],
  );
}

const byCount = ([, one]: [string, number], [, other]: [string, number]): number => other - one;

/**
 * Adds one to the count of each key in `more`, and keeps the 100 highest counts; null is skipped. A
 * dropped key starts again at 0, so each count is a lower bound.
 */
function addCounts(known: Counts = {}, more: (string | null)[]): Counts {
  const counts = new Map(Object.entries(known));
  for (const one of more) if (one !== null) counts.set(one, (counts.get(one) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(byCount).slice(0, REMEMBERED));
}

const toTopCounts = (counts: Counts, name: string): object[] =>
  Object.entries(counts)
    .sort(byCount)
    .slice(0, SHOWN_IN_ENTRY)
    .map(([one, times]) => ({ [name]: one, times }));

function toAuditEntry(tenantId: string, group: SignIn[]): AuditEntry {
  const [first, last] = [group[0] as SignIn, group.at(-1) as SignIn];
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
    // A failed login does not prove the identity of the actor.
    actor: last.outcome === 'signed_in' ? { type: 'user', id: userId } : BY_THE_PLATFORM.actor,
    origin: { ipAddress: last.ip_address, userAgent: last.user_agent, requestId: last.request_id },
  };
}
