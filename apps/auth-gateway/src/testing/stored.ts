import { until, type TestService } from '@platform/testing';

type Rows = Record<string, string[]>;

/** Queues whose work is not done while there is no Registry. */
const WAITS_FOR_REGISTRY = new Set(['app-sync']);

/** Every row of these schemas as text, by table: what a dump of the database shows. */
export async function storedRows(service: TestService, schemas = ['gateway', 'gateway_queues'], shown = 't::text'): Promise<Rows> {
  const tables = await service.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema = ANY ($1) AND table_type = 'BASE TABLE' ORDER BY 1`,
    [schemas],
  );
  const rows: Rows = {};
  for (const { name } of tables) {
    const found = await service.query<{ row: string }>(`SELECT ${shown} AS row FROM ${name} AS t ORDER BY 1`);
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}

/** The rows of the gateway that belong to a tenant or to one of its users, by table. */
export async function rowsOfTenant(service: TestService, tenantId: string): Promise<Rows> {
  const users = new Set((await service.query<{ id: string }>('SELECT id FROM users WHERE tenant_id = $1', [tenantId])).map(({ id }) => id));
  const belongs = (row: string, table: string): boolean => {
    const { id, tenant_id, user_id, developer_id } = JSON.parse(row) as Record<string, string>;
    return (
      tenant_id === tenantId ||
      users.has(String(user_id)) ||
      users.has(String(developer_id)) ||
      (table === 'gateway.tenants' && id === tenantId)
    );
  };
  const rows = Object.entries(await storedRows(service, ['gateway'], 'to_jsonb(t)::text'));
  return Object.fromEntries(rows.map(([table, all]) => [table, all.filter((row) => belongs(row, table))]));
}

/** Runs `work` and expects that no row of the gateway is another than before, but for the counters of rate limits and the record of calls. */
export async function expectNothingStored<T>(service: TestService, work: () => Promise<T>): Promise<T> {
  // What earlier requests caused must be done, or it would be taken for what `work` did.
  const before = await until(async () => [await storedFacts(service)].find(({ 'gateway.outbox': outbox }) => !outbox?.length));
  const result = await work();
  expect(await storedFacts(service)).toEqual(before);
  return result;
}

/** Without when somebody was last seen, which is noted some time after the request. */
async function storedFacts(service: TestService): Promise<Rows> {
  const shown = "(to_jsonb(t) - '{last_seen_at,last_used_at}'::text[])::text";
  const {
    'gateway.rate_limits': _limits,
    'gateway.actions': _calls,
    'gateway.outbox': outbox = [],
    ...rows
  } = await storedRows(service, ['gateway'], shown);
  return { ...rows, 'gateway.outbox': outbox.filter((row) => !WAITS_FOR_REGISTRY.has((JSON.parse(row) as { queue: string }).queue)) };
}
