import { migrateAndSeed } from '../../migrate.js';
import { DEFAULT_TENANT, type AuditQuery, type ListUsersQuery } from '@platform/contracts';
import { TenantData } from '@platform/persistence';
import { Client } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { AuditLog } from '../../../apps/auth-gateway/src/organisation/audit/audit-log.service.js';
import { listUsers } from '../../../apps/auth-gateway/src/organisation/users/users.queries.js';
import { interleave, median } from '../comparing/comparison.js';
import { fillTables, MONTHS } from './growth-tables.js';
import { load, type HttpRequest } from '../load/http.js';
import type { Platform } from '../platform/platform.js';

export const MOST_GROWTH = 2;
export const ROWS: Sizes = { small: 1_000, large: 1_000_000 };
const SLICE_MS = 300;
const MAX_WARM_UP_MS = 1_000;
/** A plan may read a smaller table whole. */
const LARGE_TABLE = 10_000;
const DAY_MS = 86_400_000;

export interface Growth {
  path: string;
  /** Milliseconds for one request, median, with few rows and with many. */
  small: number;
  large: number;
  /** The large tables that its statements read whole where there are many; there should be none. */
  scans: string[];
}

export interface Listed {
  path: string;
  /** Runs the statements of the path, as the feature does. */
  read: (em: EntityManager) => Promise<unknown>;
}

export interface Sizes {
  small: number;
  large: number;
}

/** What matches everything or nearly so, one in thirty, 20 rows or nothing, and what is deep down. */
const USERS: Partial<ListUsersQuery>[] = [
  {},
  { include_inactive: true },
  { offset: 900 },
  { search: 'example' },
  { search: 'grace' },
  { search: 'byron', include_inactive: true },
  { search: 'xx' },
  { role: 'user' },
  { role: 'auditor', include_inactive: true },
  { role: 'user', search: 'example' },
  { scope: 'apps:read' },
  { scope: 'audit:export', include_inactive: true },
  { scope: 'audit:read', include_inactive: true },
  { is_active: true },
  { is_active: false },
];
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const AUDIT: Partial<AuditQuery>[] = [
  {},
  { page: 18 },
  { actor_id: 'common' },
  { actor_id: 'rare' },
  { target_id: 'common' },
  { target_type: 'role', target_id: 'rare' },
  { action: 'user.updated' },
  { action: 'role.updated' },
  { actor_id: 'common', action: 'role.updated' },
  { source: 'user' },
  { source: 'service' },
  { from: ago(MONTHS * 31) },
  { to: ago(90) },
];

const listed: Listed[] = [
  ...USERS.map((query) => ({
    path: pathOf('/v1/users', query),
    read: (em: EntityManager) => listUsers(new TenantData(em, DEFAULT_TENANT), { include_inactive: false, limit: 50, offset: 0, ...query }),
  })),
  ...AUDIT.map((query) => ({
    path: pathOf('/v1/audit', query),
    read: (em: EntityManager) => new AuditLog({ manager: em } as DataSource).page(DEFAULT_TENANT, { page: 1, per_page: 50, ...query }),
  })),
];

/** What lists and searches cost with a thousand rows and with a million. */
export const measureGrowth = (platform: Platform, rounds: number, progress: (text: string) => void): Promise<Growth[]> =>
  compareSizes(platform, {
    name: 'growth',
    sizes: ROWS,
    what: 'users and audit entries',
    fill: fillTables,
    listed,
    rounds,
    progress,
  });

interface Comparison {
  name: string;
  sizes: Sizes;
  /** What there are so many of. */
  what: string;
  fill: (databaseUrl: string, rows: number) => Promise<void>;
  listed: readonly Listed[];
  rounds: number;
  progress: (text: string) => void;
}

/** What pages cost with few rows and with many, each in a database and a gateway of its own. */
export async function compareSizes(
  platform: Platform,
  { name, sizes, what, fill, listed, rounds, progress }: Comparison,
): Promise<Growth[]> {
  const urls: string[] = [];
  for (const rows of [sizes.small, sizes.large]) {
    progress(`Filling a database with ${rows.toLocaleString('en')} ${what}`);
    urls.push(await filledDatabase(platform, `${name}_${rows}`, (databaseUrl) => fill(databaseUrl, rows)));
  }
  const [small, large] = await Promise.all(urls.map((databaseUrl) => platform.startService('auth-gateway', { databaseUrl })));
  if (!small || !large) throw new Error('There are two gateways.');
  try {
    const scans = await scansOf(urls[1] as string, listed);
    const growths: Growth[] = [];
    for (const { path } of listed) {
      progress(path);
      const request: HttpRequest = { method: 'GET', path, headers: { 'X-Service-Token': platform.serviceToken } };
      const at = (url: string) => (milliseconds: number) => load(url, 1, milliseconds, (send) => send(request));
      const rates = await interleave(
        { baseline: at(small.url), subject: at(large.url) },
        { rounds, sliceMs: SLICE_MS, maxWarmUpMs: MAX_WARM_UP_MS },
      );
      growths.push({
        path,
        small: 1_000 / median(rates.map(({ baseline }) => baseline)),
        large: 1_000 / median(rates.map(({ subject }) => subject)),
        scans: scans.get(path) ?? [],
      });
    }
    return growths;
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
}

export function pathOf(path: string, query: object): string {
  const parameters = new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)])).toString();
  return parameters ? `${path}?${parameters}` : path;
}

async function filledDatabase(platform: Platform, name: string, fill: (databaseUrl: string) => Promise<void>): Promise<string> {
  const databaseUrl = await platform.createDatabase(name);
  await migrateAndSeed({ DATABASE_URL: databaseUrl });
  await fill(databaseUrl);
  return databaseUrl;
}

/** Runs the features' own statements, each of them explained first with the very parameters that it is run with. */
async function scansOf(databaseUrl: string, listed: readonly Listed[]): Promise<Map<string, string[]>> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await client.query('SET search_path = gateway, public');
    const { rows } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'gateway'::regnamespace AND relkind = 'r' AND reltuples > $1",
      [LARGE_TABLE],
    );
    const large = rows.map(({ name }) => name);
    const plans: string[] = [];
    const explaining = {
      async query(sql: string, values: unknown[]) {
        const plan = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values);
        plans.push(...plan.rows.map((line) => line['QUERY PLAN']));
        return (await client.query<object>(sql, values)).rows;
      },
    } as unknown as EntityManager;
    const scans = new Map<string, string[]>();
    for (const { path, read } of listed) {
      await read(explaining);
      const scanned = plans.splice(0).map((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? '');
      scans.set(path, [...new Set(scanned.filter((name) => large.includes(name)))]);
    }
    return scans;
  } finally {
    await client.end();
  }
}
