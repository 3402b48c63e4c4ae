import { createDataSource, type Database } from '@platform/persistence';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { MigrationInterface } from 'typeorm';
import { database as gateway } from '../apps/auth-gateway/src/database.js';
import { Baseline1764700000000 as GatewayBaseline } from '../apps/auth-gateway/src/migrations/1764700000000-baseline.js';
import { database as extensionHost } from '../apps/ext-webhook-host/src/database.js';
import { Baseline1764700000000 as HostBaseline } from '../apps/ext-webhook-host/src/migrations/1764700000000-baseline.js';
import { database as panel } from '../apps/panel/src/database.js';
import { Baseline1764700000000 as PanelBaseline } from '../apps/panel/src/migrations/1764700000000-baseline.js';
import { database as registry } from '../apps/registry/src/database.js';
import { Baseline1764700000000 as RegistryBaseline } from '../apps/registry/src/migrations/1764700000000-baseline.js';

const SERVICES: [(url: string, poolSize: number) => Database, new () => MigrationInterface][] = [
  [gateway, GatewayBaseline],
  [registry, RegistryBaseline],
  [extensionHost, HostBaseline],
  [panel, PanelBaseline],
];
const SCHEMAS = `('gateway', 'gateway_audit', 'registry', 'ext_host', 'panel')`;
const IN_SCHEMAS = `n.nspname IN ${SCHEMAS} AND c.relname NOT LIKE 'migrations%'`;

/**
 * Queries whose rows describe a schema: a key, and the properties that must be equal. Two constraints
 * are not validated after the earlier migrations, since old rows could violate them.
 */
const CATALOG: Record<string, string> = {
  columns: `SELECT c.oid::regclass || '.' || a.attname AS key, row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum) AS position,
      format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid) AS default, a.attidentity, a.attgenerated, a.attstattarget, a.attcollation
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE ${IN_SCHEMAS} AND c.relkind IN ('r', 'p', 'v', 'i', 'I') AND c.relname NOT LIKE 'PK_%'`,
  relations: `SELECT c.oid::regclass::text AS key, c.relkind, c.relpersistence, c.reloptions, CASE c.relkind WHEN 'v' THEN pg_get_viewdef(c.oid) END AS view, c.relacl,
      pg_get_partkeydef(c.oid) AS partitions, pg_get_expr(c.relpartbound, c.oid) AS bound
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${IN_SCHEMAS} AND c.relname NOT LIKE 'PK_%'`,
  constraints: `SELECT c.oid::regclass || '.' || k.conname AS key, k.contype, replace(pg_get_constraintdef(k.oid), ' NOT VALID', '') AS definition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${IN_SCHEMAS} AND k.contype <> 'n'`,
  indexes: `SELECT i.indexrelid::regclass::text AS key, pg_get_indexdef(i.indexrelid) AS definition, i.indisvalid
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${IN_SCHEMAS}`,
  triggers: `SELECT c.oid::regclass || '.' || t.tgname AS key, pg_get_triggerdef(t.oid) AS definition, t.tgenabled
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${IN_SCHEMAS} AND NOT t.tgisinternal`,
  functions: `SELECT p.oid::regprocedure::text AS key, regexp_replace(regexp_replace(p.prosrc, '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g') AS body, pg_get_function_sqlbody(p.oid) AS sql_body,
      pg_get_function_arguments(p.oid) AS arguments, pg_get_function_result(p.oid) AS result, p.prosecdef, p.proconfig, p.provolatile, p.proparallel, p.proisstrict, p.proacl, l.lanname
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
    WHERE n.nspname IN ${SCHEMAS} AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  sequences: `SELECT schemaname || '.' || sequencename AS key, data_type, start_value, min_value, max_value, increment_by, cycle, cache_size
    FROM pg_sequences WHERE schemaname IN ${SCHEMAS} AND sequencename NOT LIKE 'migrations%'`,
  types: `SELECT t.oid::regtype::text AS key, t.typtype FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE n.nspname IN ${SCHEMAS} AND t.typtype <> 'b'
    AND t.typname NOT LIKE 'migrations%'`,
  extensions: `SELECT e.extname AS key, n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace`,
};

const admin = process.env['TEST_POSTGRES_URL'] ?? '';
const created: string[] = [];

async function emptyDatabase(): Promise<string> {
  const name = `baseline_${randomBytes(6).toString('hex')}`;
  await query(admin, `CREATE DATABASE ${name}`);
  created.push(name);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.href;
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function migrateWith(
  url: string,
  migrationsOf: (database: Database, baseline: new () => MigrationInterface) => Database['migrations'],
) {
  for (const [databaseOf, baseline] of SERVICES) {
    const database = databaseOf(url, 2);
    await query(url, `CREATE SCHEMA ${database.schema}`);
    const dataSource = await createDataSource({ ...database, migrations: migrationsOf(database, baseline) }).initialize();
    await dataSource.runMigrations();
    await dataSource.destroy();
  }
}

/** Describes all schemas of a database: a line for each property of each object, and for each row. */
async function describeSchemas(url: string): Promise<Record<string, string>> {
  const described: Record<string, string> = {};
  for (const [kind, statement] of Object.entries(CATALOG)) {
    for (const { key, ...properties } of await query(url, statement)) described[`${kind} ${String(key)}`] = JSON.stringify(properties);
  }
  const tables = await query(
    url,
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${IN_SCHEMAS} AND c.relkind = 'r'`,
  );
  for (const { name } of tables) {
    const rows = await query(url, `SELECT to_jsonb(t) AS row FROM ${String(name)} t`);
    described[`rows ${String(name)}`] = JSON.stringify(rows).replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"a time"');
  }
  return described;
}

afterAll(async () => {
  for (const name of created) await query(admin, `DROP DATABASE ${name} WITH (FORCE)`);
});

it('makes the schema that all earlier migrations make', async () => {
  const [earlier, baseline] = [await emptyDatabase(), await emptyDatabase()];
  await migrateWith(earlier, ({ migrations }) => migrations);
  await migrateWith(baseline, (_, only) => [only]);
  const expected = await describeSchemas(earlier);
  expect(Object.keys(expected).length).toBeGreaterThan(2_000);
  expect(await describeSchemas(baseline)).toEqual(expected);
});
