import { until, type TestService } from '@platform/testing';
import { actionQueue } from '../extensions/actions/actions.jobs.js';
import { WalletEventsWorker } from '../billing/wallet/wallet-events.worker.js';
import { EventPositionsService } from '../kernel/events/event-positions.service.js';
import { SignInAuditWorker } from '../identity/sign-ins/sign-in-audit.worker.js';

type Rows = Record<string, string[]>;

/**
 * Queues with jobs that stay: `app-sync` has no Registry here, and jobs of an account deletion wait
 * a minute for running calls.
 */
export const QUEUES_LEFT_WAITING = ['app-sync', actionQueue.name];

/** Columns with the time of the last use, which are written some time after the request. */
const LAST_USE_COLUMNS = '{last_seen_at,last_used_at}';

/** Every row of these schemas as text, by table, as in a dump of the database. */
export async function storedRows(
  service: TestService,
  schemas = ['gateway', 'gateway_audit', 'gateway_queues'],
  shown: (table: { seen: boolean }) => string = () => 't::text',
): Promise<Rows> {
  const tables = await service.query<{ name: string; seen: boolean }>(
    `SELECT format('%I.%I', relnamespace::regnamespace, relname) AS name,
       EXISTS (SELECT FROM pg_attribute WHERE attrelid = t.oid AND attname = ANY ($2) AND NOT attisdropped) AS seen
     FROM pg_class t WHERE relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname = ANY ($1)) AND relkind IN ('r', 'p') ORDER BY 1`,
    [schemas, LAST_USE_COLUMNS],
  );
  const found = await rowsOf(
    service,
    tables
      .map((table) => `SELECT '${table.name}' AS name, ${shown(table)} AS row FROM ${table.name} AS t`)
      .join(' UNION ALL '),
  );
  return Object.fromEntries(tables.map(({ name }) => [name, found[name] ?? []]));
}

/** Runs one statement over all tables, because one statement per table is much slower. */
async function rowsOf(service: TestService, statement: string, parameters: unknown[] = []): Promise<Rows> {
  const rows: Rows = {};
  for (const { name, row } of await service.query<{ name: string; row: string }>(statement, parameters))
    (rows[name] ??= []).push(row);
  for (const ofTable of Object.values(rows)) ofTable.sort();
  return rows;
}

/**
 * Conditions by which a row belongs to the tenant `$1`, to a user of it, or to an app of such a
 * user.
 */
const OWNERS: Record<string, string> = {
  tenant_id: '= $1',
  user_id: 'IN (SELECT id FROM people)',
  developer_id: 'IN (SELECT id FROM people)',
  app_id: 'IN (SELECT app_id FROM apps_of_people)',
};
const PEOPLE = `people AS MATERIALIZED (SELECT id FROM users WHERE tenant_id = $1),
  apps_of_people AS MATERIALIZED (SELECT app_id FROM apps WHERE developer_id IN (SELECT id FROM people))`;

/** Runs the jobs that write sign-ins, wallet events and event positions. */
async function writeDelayedRows(service: TestService): Promise<void> {
  await until(async () => {
    await service.app.get(SignInAuditWorker).writeSignIns();
    return !(await service.query('SELECT FROM sign_in_records LIMIT 1')).length;
  });
  await service.app.get(WalletEventsWorker).publishWalletChanges();
  await service.app.get(EventPositionsService).placeEvents();
}

/** Audit tables that jobs of the platform fill at any time. */
export const TABLES_WRITTEN_BY_JOBS = [
  'app_action_users',
  'audit_seals',
  'sign_in_records',
  'sign_in_tallies',
  'user_action_sums',
];

/** Rows of the gateway that belong to a tenant, its users or their apps, by table. */
export async function rowsOfTenant(service: TestService, tenantId: string): Promise<Rows> {
  await writeDelayedRows(service);
  const tables = await service.query<{ name: string; columns: string[] }>(
    `SELECT format('%I.%I', relnamespace::regnamespace, relname) AS name, array_agg(attname::text) AS columns
     FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
     WHERE relnamespace IN ('gateway'::regnamespace, 'gateway_audit'::regnamespace) AND NOT relname = ANY ($2) AND relkind IN ('r', 'p') AND NOT relispartition AND attname = ANY ($1) GROUP BY 1`,
    [Object.keys(OWNERS), TABLES_WRITTEN_BY_JOBS],
  );
  const owned = tables.map(({ name, columns }) => ({
    name,
    condition: columns.map((column) => `${column} ${OWNERS[column]}`).join(' OR '),
  }));
  const all = [...owned, { name: 'gateway.tenants', condition: 'id = $1' }];
  const statements = all.map(
    ({ name, condition }) =>
      `SELECT '${name}' AS name, row_to_json(t)::text AS row FROM ${name} AS t WHERE ${condition}`,
  );
  return rowsOf(service, `WITH ${PEOPLE} ${statements.join(' UNION ALL ')}`, [tenantId]);
}

/**
 * Runs `work` and expects the rows of the gateway to be unchanged. Ignores rate limits, records of
 * calls and failed sign-ins, and positions of webhook dispatch.
 */
export async function expectNothingStored<T>(service: TestService, work: () => Promise<T>): Promise<T> {
  // Effects of earlier requests must be complete, or they would count as effects of `work`.
  await writeDelayedRows(service);
  const before = await until(async () =>
    [await storedFacts(service)].find(({ 'gateway.outbox': outbox }) => !outbox?.length),
  );
  const result = await work();
  expect(await storedFacts(service)).toEqual(before);
  return result;
}

interface OutboxRow {
  queue: string;
  payload: { deferred?: boolean };
}

/** True also for a mail that is deferred because its recipient got one recently. */
const isHeldBack = ({ queue, payload }: OutboxRow): boolean =>
  QUEUES_LEFT_WAITING.includes(queue) || payload.deferred === true;

/** Stored rows without the columns of the last use. */
async function storedFacts(service: TestService): Promise<Rows> {
  const shown = ({ seen }: { seen: boolean }) =>
    seen ? `(to_jsonb(t) - '${LAST_USE_COLUMNS}'::text[])::text` : 'row_to_json(t)::text';
  const {
    'gateway.rate_limits': _limits,
    'gateway.actions': _calls,
    'gateway.outbox': outbox = [],
    'gateway.seen_workers': _workers,
    'gateway.sign_in_records': _signIns,
    'gateway.sign_in_tallies': _tallies,
    'gateway.webhook_endpoint_cursors': _cursors,
    'gateway_audit.audit_seals': _seals,
    ...rows
  } = await storedRows(service, ['gateway', 'gateway_audit'], shown);
  return { ...rows, 'gateway.outbox': outbox.filter((row) => !isHeldBack(JSON.parse(row) as OutboxRow)) };
}
