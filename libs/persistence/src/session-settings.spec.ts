import { createTestDatabase, type TestDatabase } from '@platform/testing';
import { createDataSource } from './data-source.js';
import { DatabaseClient } from './database-client.js';
import { migrate } from './migrate.js';

/** Settings that change the meaning of SQL or of the data that pg reads. */
const OF_THE_DATABASE = {
  TimeZone: 'Pacific/Auckland',
  DateStyle: 'German, DMY',
  IntervalStyle: 'iso_8601',
  standard_conforming_strings: 'off',
  default_transaction_isolation: 'serializable',
  search_path: 'pg_temp',
  statement_timeout: '1ms',
  lock_timeout: '1ms',
  idle_in_transaction_session_timeout: '1ms',
};
const NAMES = Object.keys(OF_THE_DATABASE);
const OURS = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
};
const SETTINGS = `SELECT json_object_agg(name, current_setting(name)) AS settings FROM unnest($1::text[]) AS name`;

let database: TestDatabase;
let url: string;
beforeAll(async () => {
  database = await createTestDatabase();
  const { pathname } = new URL(database.url);
  for (const [name, value] of Object.entries(OF_THE_DATABASE)) {
    await database.query(
      `ALTER DATABASE ${pathname.slice(1)} SET ${name} = ${name === 'search_path' ? value : `'${value}'`}`,
    );
  }
  // Settings in a URL override those of the database.
  const withOptions = new URL(database.url);
  withOptions.searchParams.set('options', '-c TimeZone=America/New_York -c search_path=public -c DateStyle=SQL');
  url = withOptions.href;
});
afterAll(() => database.drop());

it('a client has its own settings, whatever the database and the URL say', async () => {
  const client = new DatabaseClient({ connectionString: url, searchPath: 'gateway' });
  await client.connect();
  const { rows } = await client.query<{ settings: unknown }>(SETTINGS, [NAMES]);
  await client.end();
  const noLimits = { statement_timeout: '0', lock_timeout: '0', idle_in_transaction_session_timeout: '0' };
  expect(rows[0]?.settings).toEqual({ ...OURS, ...noLimits, search_path: 'gateway' });
});

it('the connections of a service have their own settings, and pg reads times and intervals', async () => {
  const dataSource = await createDataSource({
    url,
    schema: 'registry',
    poolSize: 1,
    entities: [],
    migrations: [],
  }).initialize();
  const [row] = await dataSource.query<[{ settings: unknown }]>(SETTINGS, [NAMES]);
  const limits = { statement_timeout: '10s', lock_timeout: '0', idle_in_transaction_session_timeout: '10s' };
  expect(row.settings).toEqual({ ...OURS, ...limits, search_path: 'registry' });
  const [read] = await dataSource.query<unknown[]>(
    `SELECT $1::timestamptz + interval '1 month' AS paid_until, interval '1 day 02:00' AS took, ($1::timestamptz + interval '1 day')::text AS due_key`,
    [new Date('2026-01-30T12:00:00Z')],
  );
  expect(read).toMatchObject({
    paid_until: new Date('2026-02-28T12:00:00Z'),
    took: { days: 1, hours: 2 },
    due_key: '2026-01-31 12:00:00+00',
  });
  await dataSource.destroy();
});

it('a migration has the settings, and no limit but the one for locks', async () => {
  const found: unknown[] = [];
  await migrate({ url, schema: 'settings_test', poolSize: 1, entities: [], migrations: [] }, async (dataSource) => {
    found.push(...(await dataSource.query<unknown[]>(SETTINGS, [NAMES])));
  });
  const limits = { statement_timeout: '0', lock_timeout: '5s', idle_in_transaction_session_timeout: '0' };
  expect(found).toEqual([{ settings: { ...OURS, ...limits, search_path: 'settings_test' } }]);
});
