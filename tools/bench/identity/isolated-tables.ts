import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { BenchPlatform } from '../platform/bench-platform.js';
import type { Size, Sizes } from '../platform/size.js';

/** Tenant whose rows are read: one large tenant beside many small ones. */
export const LARGE_TENANT = 'large';
const COUNTS: Sizes<{ largeTenantUsers: number; smallTenants: number; smallTenantUsers: number }> = {
  full: { largeTenantUsers: 50_000, smallTenants: 50, smallTenantUsers: 1_000 },
  tiny: { largeTenantUsers: 50, smallTenants: 2, smallTenantUsers: 10 },
};
const SAMPLED = 500;

/** Expression in which administrators search users: address and name in lower case. */
export const SEARCHED_TEXT = "lower(email || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, ''))";

export interface IsolatedTables {
  /**
   * URLs of the database for a role that is exempt from the policies, and for a restricted role.
   */
  exemptUrl: string;
  restrictedUrl: string;
  sessionIds: string[];
  /** Parts of addresses that exist. */
  parts: string[];
}

/**
 * Creates copies of the sign-in tables in a schema `isolation`, with more users and with row-level
 * security that applies to the owner, too. `sessions` gets the tenant id that a policy needs.
 */
export async function isolateTables({ databaseUrl, size }: BenchPlatform): Promise<IsolatedTables> {
  const client = new Client({ connectionString: databaseUrl, options: '-c search_path=isolation,gateway,public' });
  await client.connect();
  try {
    await copyTables(client);
    await fillTables(client, size);
    await secureTables(client);
    const { rows } = await client.query<{ id: string; part: string }>(
      `SELECT s.id, substr(u.email, 1, 5) AS part FROM sessions s JOIN users u ON u.id = s.user_id
       WHERE u.tenant_id = '${LARGE_TENANT}' ORDER BY md5(s.id) LIMIT ${SAMPLED}`,
    );
    return {
      exemptUrl: await addRole(client, databaseUrl, 'exempt', 'BYPASSRLS'),
      restrictedUrl: await addRole(client, databaseUrl, 'restricted', 'NOBYPASSRLS'),
      sessionIds: rows.map(({ id }) => id),
      parts: rows.map(({ part }) => part),
    };
  } finally {
    await client.end();
  }
}

const copyTables = (client: Client): Promise<unknown> =>
  client.query(`
    CREATE SCHEMA isolation;
    CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
    CREATE TABLE isolation.tenants (LIKE gateway.tenants INCLUDING ALL);
    CREATE TABLE isolation.roles (LIKE gateway.roles INCLUDING ALL);
    CREATE TABLE isolation.users (LIKE gateway.users INCLUDING ALL);
    CREATE TABLE isolation.sessions (LIKE gateway.sessions INCLUDING ALL, tenant_id text NOT NULL);`);

function fillTables(client: Client, size: Size): Promise<unknown> {
  const { largeTenantUsers, smallTenants, smallTenantUsers } = COUNTS[size];
  return client.query(`
    INSERT INTO tenants (id, name)
      SELECT 'small' || n, 'Small' FROM generate_series(1, ${smallTenants}) AS n UNION ALL VALUES ('${LARGE_TENANT}', 'Large');
    INSERT INTO roles (id, tenant_id, name, display_name) SELECT 'rol_' || id, id, 'user', 'User' FROM tenants;
    INSERT INTO users (id, tenant_id, email, email_canonical, first_name, last_name)
      SELECT 'usr_' || t.id || '_' || n, t.id, mail, mail, 'Ada', 'Lovelace'
      FROM tenants t
      CROSS JOIN LATERAL generate_series(1, CASE t.id WHEN '${LARGE_TENANT}' THEN ${largeTenantUsers} ELSE ${smallTenantUsers} END) AS n
      CROSS JOIN LATERAL (SELECT substr(md5(t.id || n), 1, 12) || '@example.com' AS mail) AS address;
    INSERT INTO sessions (id, user_id, tenant_id, surface, idle_expires_at, absolute_expires_at)
      SELECT 'ses_' || id, id, tenant_id, 'api', now() + interval '30 days', now() + interval '180 days' FROM users;
    CREATE INDEX searched_idx ON users USING gin ((${SEARCHED_TEXT}) gin_trgm_ops);`);
}

async function secureTables(client: Client): Promise<void> {
  for (const [table, column] of Object.entries({
    tenants: 'id',
    roles: 'tenant_id',
    users: 'tenant_id',
    sessions: 'tenant_id',
  })) {
    await client.query(`
      ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
      CREATE POLICY of_tenant ON ${table} USING (${column} = current_setting('app.tenant_id'));`);
    await client.query(`VACUUM ANALYZE ${table}`);
  }
}

/** Creates a database role with a random name, because roles belong to the whole server. */
async function addRole(client: Client, databaseUrl: string, kind: string, attribute: string): Promise<string> {
  const name = `bench_${kind}_${randomBytes(4).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  await client.query(`
    CREATE ROLE ${name} LOGIN PASSWORD '${password}' ${attribute};
    GRANT USAGE ON SCHEMA isolation, gateway TO ${name};
    GRANT SELECT ON ALL TABLES IN SCHEMA isolation, gateway TO ${name};`);
  return Object.assign(new URL(databaseUrl), { username: name, password }).href;
}
