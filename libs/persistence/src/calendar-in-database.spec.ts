import { createTestDatabase, type TestDatabase } from '@platform/testing';
import { DatabaseClient } from './database-client.js';

let database: TestDatabase;
let client: DatabaseClient;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new DatabaseClient({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/**
 * SQL that returns another `timestamptz` result in another time zone of the session: days, months
 * and years, and times as text or dates.
 */
const CALENDAR =
  "interval '[^']*(day|week|mon|year)|(days|weeks|months|years) *=>|date_trunc\\('(day|week|month|quarter|year)|current_date|localtime|::date\\M|to_char\\(|::timestamp\\M(?! with )";

/**
 * Finds database code that depends on the time zone of a client, such as an operator's `psql`.
 * Functions with `AT TIME ZONE 'UTC'` or a fixed time zone are safe.
 */
const DEPENDENT = `
  WITH code AS (
    SELECT n.nspname || '.' || p.proname AS name, p.prosrc AS source, coalesce('TimeZone=UTC' = ANY (p.proconfig), false) AS is_set
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    UNION ALL
    SELECT n.nspname || '.' || t.tgname, pg_get_triggerdef(t.oid), false
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    UNION ALL
    SELECT n.nspname || '.' || c.relname || '.' || a.attname, pg_get_expr(d.adbin, d.adrelid), false
    FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
      JOIN pg_class c ON c.oid = d.adrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    UNION ALL
    SELECT schemaname || '.' || viewname, definition, false FROM pg_views)
  SELECT name FROM code
  WHERE name !~ '^(pg_|information_schema)' AND source ~* $1 AND NOT is_set AND source !~* 'AT TIME ZONE ''UTC'''
  ORDER BY name`;

it('nothing that the database runs by itself counts days or months in the time zone of the client', async () => {
  const { rows } = await client.query<{ name: string }>(DEPENDENT, [CALENDAR]);
  expect(rows.map(({ name }) => name)).toEqual([]);
});
