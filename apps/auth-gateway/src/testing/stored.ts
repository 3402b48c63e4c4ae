import { until, type TestService } from '@platform/testing';

type Rows = Record<string, string[]>;

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

/** Runs `work` and expects that no row of the gateway is another than before, but for the counters of rate limits. */
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
  const { 'gateway.rate_limits': _, ...rows } = await storedRows(service, ['gateway'], shown);
  return rows;
}
