import { migrateAndSeed } from '../migrate.js';
import { DEFAULT_TENANT, type AuditQuery, type ListUsersQuery } from '@platform/contracts';
import { TenantData } from '@platform/persistence';
import { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import { AuditLog } from '../../apps/auth-gateway/src/audit/audit-log.service.js';
import { listUsers } from '../../apps/auth-gateway/src/users/users.queries.js';
import { interleave, median } from './comparison.js';
import { load, type HttpRequest } from './http.js';
import type { Platform } from './platform.js';

export const MOST_GROWTH = 2;
const SMALL = 1_000;
const LARGE = 1_000_000;
const SLICE_MS = 300;
const WARM_UP_MS = 500;

export interface Growth {
  path: string;
  /** Milliseconds for one request, median, with a thousand and with a million rows. */
  small: number;
  large: number;
  /** The plans of its statements at a million rows that read a whole table; none should. */
  scans: string[];
}

const USERS: Partial<ListUsersQuery>[] = [
  {},
  { offset: 500 },
  { search: 'user77' },
  { search: 'user777@' },
  { search: 'lovelace' },
  { role: 'admin' },
  { scope: 'users:read' },
  { is_active: false },
];
const AUDIT: Partial<AuditQuery>[] = [
  {},
  { page: 10 },
  { actor_id: 'usr_7' },
  { target_type: 'user', target_id: 'usr_7' },
  { action: 'role.updated' },
  { source: 'service' },
  { from: new Date(Date.now() - 3_600_000).toISOString() },
];

/** What lists and searches cost with a thousand rows and with a million, each in a database and a gateway of its own. */
export async function measureGrowth(platform: Platform, rounds: number, progress: (text: string) => void): Promise<Growth[]> {
  const urls: string[] = [];
  for (const rows of [SMALL, LARGE]) {
    progress(`Filling a database with ${rows.toLocaleString('en')} users and audit entries`);
    urls.push(await filledDatabase(platform, rows));
  }
  const [small, large] = await Promise.all(urls.map((databaseUrl) => platform.startService('auth-gateway', { databaseUrl })));
  if (!small || !large) throw new Error('There are two gateways.');
  try {
    const growths: Growth[] = [];
    const paths = [...USERS.map((query) => pathOf('/v1/users', query)), ...AUDIT.map((query) => pathOf('/v1/audit', query))];
    const plans = await scansOf(urls[1] as string);
    for (const path of paths) {
      progress(path);
      const request: HttpRequest = { method: 'GET', path, headers: { 'X-Service-Token': platform.serviceToken } };
      const at = (url: string) => (milliseconds: number) => load(url, 1, milliseconds, (send) => send(request));
      const rates = await interleave(
        { baseline: at(small.url), subject: at(large.url) },
        { rounds, sliceMs: SLICE_MS, warmUpMs: WARM_UP_MS },
      );
      growths.push({
        path,
        small: 1_000 / median(rates.map(({ baseline }) => baseline)),
        large: 1_000 / median(rates.map(({ subject }) => subject)),
        scans: plans.get(path) ?? [],
      });
    }
    return growths;
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
}

const pathOf = (path: string, query: object): string => {
  const parameters = new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)])).toString();
  return parameters ? `${path}?${parameters}` : path;
};

async function filledDatabase(platform: Platform, rows: number): Promise<string> {
  const databaseUrl = await platform.createDatabase(`growth_${rows}`);
  await migrateAndSeed({ DATABASE_URL: databaseUrl });
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    // Without the triggers, which link each entry to the one before it: the chain is not what is measured.
    await client.query("SET session_replication_role = 'replica'; SET search_path = gateway");
    await client.query(
      `INSERT INTO users (id, tenant_id, email, email_canonical, first_name, last_name, role, scopes, is_active, email_verified_at, created_at)
       SELECT 'usr_' || n, '${DEFAULT_TENANT}', mail, mail, 'Ada', CASE WHEN n % 3 = 0 THEN 'Lovelace' ELSE 'Hopper' END,
         CASE WHEN n % 1000 = 7 THEN 'admin' ELSE 'user' END, CASE WHEN n % 100 = 0 THEN '{users:read}'::text[] ELSE '{}' END,
         n % 50 <> 1, now(), now() - n * interval '1 second'
       FROM generate_series(1, ${rows}) AS n, LATERAL (SELECT 'user' || n || '@example.com' AS mail) AS address`,
    );
    await client.query(
      `INSERT INTO audit_entries (id, tenant_id, actor_type, actor_id, action, target_type, target_id, created_at)
       SELECT 'aud_' || lpad((${rows} - n)::text, 12, '0'), '${DEFAULT_TENANT}', CASE WHEN n % 20 = 0 THEN 'service' ELSE 'user' END, 'usr_' || n % 500,
         CASE WHEN n % 100 = 0 THEN 'role.updated' ELSE 'user.updated' END, 'user', 'usr_' || n % 500, now() - n * interval '1 second'
       FROM generate_series(1, ${rows}) AS n`,
    );
    for (const table of ['users', 'audit_entries']) await client.query(`VACUUM ANALYZE ${table}`);
  } finally {
    await client.end();
  }
  return databaseUrl;
}

/** Runs the features' own statements under EXPLAIN, and keeps the lines that read a whole large table. */
async function scansOf(databaseUrl: string): Promise<Map<string, string[]>> {
  const client = new Client(databaseUrl);
  await client.connect();
  await client.query('SET search_path = gateway');
  const plans: string[] = [];
  const explaining = {
    async query(sql: string, values: unknown[]) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values);
      plans.push(...rows.map((row) => row['QUERY PLAN'].trim()));
      return [{ total: 0 }];
    },
  } as unknown as EntityManager;
  const scans = new Map<string, string[]>();
  const note = (path: string) =>
    scans.set(
      path,
      plans.splice(0).filter((line) => /Seq Scan on (users|audit_entries)/.test(line)),
    );
  try {
    for (const query of USERS) {
      const complete = { include_inactive: false, limit: 50, offset: 0, ...query };
      await listUsers(new TenantData(explaining, DEFAULT_TENANT), complete);
      note(pathOf('/v1/users', query));
    }
    const log = new AuditLog({ manager: explaining } as never);
    for (const query of AUDIT) {
      await log.page(DEFAULT_TENANT, { page: 1, per_page: 50, ...query });
      note(pathOf('/v1/audit', query));
    }
    return scans;
  } finally {
    await client.end();
  }
}
