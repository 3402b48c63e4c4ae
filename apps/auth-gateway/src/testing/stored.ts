import { until, type TestService } from '@platform/testing';
import { actionQueue } from '../extensions/actions/actions.jobs.js';
import { WalletEvents } from '../billing/wallet/wallet-events.js';
import { EventPositions } from '../kernel/events/event-positions.js';
import { SignInAudit } from '../identity/sign-ins/sign-in-audit.js';

type Rows = Record<string, string[]>;

/** Queues whose work is not done soon: without a Registry, and a minute after an erasure, for the calls that were under way. */
export const HELD_BACK = ['app-sync', actionQueue.name];

/** When somebody was last seen is noted some time after the request. */
const SEEN_LATER = '{last_seen_at,last_used_at}';

/** Every row of these schemas as text, by table: what a dump of the database shows. */
export async function storedRows(
  service: TestService,
  schemas = ['gateway', 'gateway_audit', 'gateway_queues'],
  shown: (table: { seen: boolean }) => string = () => 't::text',
): Promise<Rows> {
  const tables = await service.query<{ name: string; seen: boolean }>(
    `SELECT format('%I.%I', relnamespace::regnamespace, relname) AS name,
       EXISTS (SELECT FROM pg_attribute WHERE attrelid = t.oid AND attname = ANY ($2) AND NOT attisdropped) AS seen
     FROM pg_class t WHERE relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname = ANY ($1)) AND relkind IN ('r', 'p') ORDER BY 1`,
    [schemas, SEEN_LATER],
  );
  const found = await rowsOf(
    service,
    tables.map((table) => `SELECT '${table.name}' AS name, ${shown(table)} AS row FROM ${table.name} AS t`).join(' UNION ALL '),
  );
  return Object.fromEntries(tables.map(({ name }) => [name, found[name] ?? []]));
}

/** What one statement finds in all tables: with one for each, most of the time goes into asking. */
async function rowsOf(service: TestService, statement: string, parameters: unknown[] = []): Promise<Rows> {
  const rows: Rows = {};
  for (const { name, row } of await service.query<{ name: string; row: string }>(statement, parameters)) (rows[name] ??= []).push(row);
  for (const ofTable of Object.values(rows)) ofTable.sort();
  return rows;
}

/** By which columns of a table a row belongs to the tenant `$1`, to one of its users, or to an app of one of them. */
const OWNERS: Record<string, string> = {
  tenant_id: '= $1',
  user_id: 'IN (SELECT id FROM people)',
  developer_id: 'IN (SELECT id FROM people)',
  app_id: 'IN (SELECT app_id FROM apps_of_people)',
};
/** Looked up once for all tables. */
const PEOPLE = `people AS MATERIALIZED (SELECT id FROM users WHERE tenant_id = $1),
  apps_of_people AS MATERIALIZED (SELECT app_id FROM apps WHERE developer_id IN (SELECT id FROM people))`;

/** Has told what there is to tell of sign-ins and wallets, which jobs do a moment later, and events have their positions. */
async function tellAll(service: TestService): Promise<void> {
  await until(async () => {
    await service.app.get(SignInAudit).write();
    return !(await service.query('SELECT FROM sign_in_records LIMIT 1')).length;
  });
  await service.app.get(WalletEvents).tell();
  await service.app.get(EventPositions).place();
}

/** Tables of the audit log that jobs of the platform fill, whatever is asked for. */
export const WRITTEN_BY_JOBS = ['app_action_users', 'audit_seals', 'sign_in_records', 'sign_in_tallies', 'user_action_sums'];

/** The rows of the gateway that belong to a tenant, to its users or to their apps, by table. */
export async function rowsOfTenant(service: TestService, tenantId: string): Promise<Rows> {
  await tellAll(service);
  const tables = await service.query<{ name: string; columns: string[] }>(
    `SELECT format('%I.%I', relnamespace::regnamespace, relname) AS name, array_agg(attname::text) AS columns
     FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
     WHERE relnamespace IN ('gateway'::regnamespace, 'gateway_audit'::regnamespace) AND NOT relname = ANY ($2) AND relkind IN ('r', 'p') AND NOT relispartition AND attname = ANY ($1) GROUP BY 1`,
    [Object.keys(OWNERS), WRITTEN_BY_JOBS],
  );
  const owned = tables.map(({ name, columns }) => ({
    name,
    condition: columns.map((column) => `${column} ${OWNERS[column]}`).join(' OR '),
  }));
  const all = [...owned, { name: 'gateway.tenants', condition: 'id = $1' }];
  const statements = all.map(
    ({ name, condition }) => `SELECT '${name}' AS name, row_to_json(t)::text AS row FROM ${name} AS t WHERE ${condition}`,
  );
  return rowsOf(service, `WITH ${PEOPLE} ${statements.join(' UNION ALL ')}`, [tenantId]);
}

/**
 * Runs `work` and expects that no row of the gateway is another than before, but for the counters of rate limits and the
 * records of calls and of failed sign-ins, and how far events were given to webhooks.
 */
export async function expectNothingStored<T>(service: TestService, work: () => Promise<T>): Promise<T> {
  // What earlier requests caused must be done, or it would be taken for what `work` did.
  await tellAll(service);
  const before = await until(async () => [await storedFacts(service)].find(({ 'gateway.outbox': outbox }) => !outbox?.length));
  const result = await work();
  expect(await storedFacts(service)).toEqual(before);
  return result;
}

interface OutboxRow {
  queue: string;
  payload: { deferred?: boolean };
}

/** Also a mail that waits until its recipient may get another. */
const isHeldBack = ({ queue, payload }: OutboxRow): boolean => HELD_BACK.includes(queue) || payload.deferred === true;

/** Without when somebody was last seen. */
async function storedFacts(service: TestService): Promise<Rows> {
  const shown = ({ seen }: { seen: boolean }) => (seen ? `(to_jsonb(t) - '${SEEN_LATER}'::text[])::text` : 'row_to_json(t)::text');
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
