import { DEFAULT_TENANT, type AuditQuery, type ListUsersQuery } from '@platform/contracts';
import { TenantData } from '@platform/persistence';
import { Client } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { AuditLogService } from '../../../apps/auth-gateway/src/organisation/audit/audit-log.service.js';
import { listUsers } from '../../../apps/auth-gateway/src/organisation/users/users.queries.js';
import { interleave, median } from '../comparing/statistics.js';
import { fillTables, MONTHS } from './growth-tables.js';
import { load, type HttpRequest } from '../load/http.js';
import type { Context, Measurement } from '../measurement.js';
import type { RunningService } from '../platform/bench-platform.js';
import type { Size, Sizes } from '../platform/size.js';
import { mark, type Table } from '../table.js';

const MOST_GROWTH = 1.5;
const TIMES: Sizes<{ sliceMs: number; maxWarmUpMs: number }> = {
  full: { sliceMs: 300, maxWarmUpMs: 1_000 },
  tiny: { sliceMs: 1, maxWarmUpMs: 1 },
};
/** Rows from which on a plan should not read the whole table. */
const LARGE_TABLE = 10_000;
const DAY_MS = 86_400_000;

interface Growth {
  path: string;
  /** Median milliseconds for one request, with few rows and with many. */
  small: number;
  large: number;
  /** Large tables that the statements read completely; there should be none. */
  scans: string[];
}

export interface Listed {
  path: string;
  /** Runs the statements of the path the way the feature does. */
  read: (em: EntityManager) => Promise<unknown>;
}

/** Numbers of rows. */
interface Counts {
  small: number;
  large: number;
}

/**
 * Filters that match all or nearly all rows, one in ten (more than a page even with few rows), 20
 * rows or none, and late pages.
 */
const USERS: Partial<ListUsersQuery>[] = [
  {},
  { include_inactive: true },
  { offset: 900 },
  { search: 'example' },
  { search: 'mar' },
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
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);
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
    read: (em: EntityManager) =>
      listUsers(new TenantData(em, DEFAULT_TENANT), { include_inactive: false, limit: 50, offset: 0, ...query }),
  })),
  ...AUDIT.map((query) => ({
    path: pathOf('/v1/audit', query),
    read: (em: EntityManager) =>
      new AuditLogService({ manager: em } as DataSource).listEntries(DEFAULT_TENANT, {
        page: 1,
        per_page: 50,
        ...query,
      }),
  })),
];

/** Compares lists and searches with a thousand rows and with a million. */
export const growth = whileGrowing({
  name: 'growth',
  counts: { full: { small: 1_000, large: 1_000_000 }, tiny: { small: 200, large: 400 } },
  what: 'users and audit entries',
  fill: fillTables,
  listed,
});

interface Lists {
  name: string;
  counts: Record<Size, Counts>;
  /** Kind of the rows, for titles. */
  what: string;
  fill: (databaseUrl: string, rows: number) => Promise<void>;
  listed: readonly Listed[];
  /** Headers of a request; by default those of a trusted backend. */
  headers?: Record<string, string>;
}

/**
 * Compares pages with few rows and with many; each size has a database and a gateway of its own. In
 * a tiny run all lists share the two gateways.
 */
export function whileGrowing(lists: Lists): Measurement {
  return {
    title: `Lists of few and of many ${lists.what}`,
    async measure(context) {
      const growths = await growthOf(lists, context);
      return {
        table: tableOf(growths, lists.counts[context.platform.size]),
        isReached: growths.every(staysFlat),
        figures: growths.flatMap(({ small, large }) => [small, large]),
      };
    },
  };
}

/** True if a list takes little longer when there are more rows that it does not show. */
const staysFlat = ({ small, large, scans }: Growth): boolean => large <= MOST_GROWTH * small && scans.length === 0;

const tableOf = (growths: readonly Growth[], { small, large }: Counts): Table => ({
  head: [
    '',
    `at ${small.toLocaleString('en')}`,
    `at ${large.toLocaleString('en')}`,
    'growth',
    'bar',
    '',
    'whole tables read',
  ],
  rows: growths.map((row) => [
    row.path,
    `${row.small.toFixed(1)} ms`,
    `${row.large.toFixed(1)} ms`,
    (row.large / row.small).toFixed(2),
    `≤ ${MOST_GROWTH}`,
    mark(staysFlat(row)),
    row.scans.join(', ') || 'none',
  ]),
});

/**
 * Databases and the rows they were filled with: measurements share databases, and one can run
 * again.
 */
const filled = new Set<string>();

async function growthOf(
  { name, counts, what, fill, listed, headers }: Lists,
  { platform, rounds, progress }: Context,
): Promise<Growth[]> {
  const { small: few, large: many } = counts[platform.size];
  const fillOnce = async (databaseUrl: string, rows: number) => {
    const filling = `${databaseUrl} ${what}`;
    if (filled.has(filling)) return;
    filled.add(filling);
    progress(`Filling a database with ${rows.toLocaleString('en')} ${what}`);
    await fill(databaseUrl, rows);
  };
  const start = async (size: string, rows: number): Promise<OnItsDatabase> => {
    const databaseUrl = await platform.createDatabase(`${name}_${size}`);
    await fillOnce(databaseUrl, rows); // before the gateway starts, whose jobs would run meanwhile
    return { ...(await platform.startService('auth-gateway', { databaseUrl })), databaseUrl };
  };
  const [small, large] = await platform.inCommon(
    'lists',
    async () => [await start('small', few), await start('large', many)] as const,
  );
  await fillOnce(small.databaseUrl, few);
  await fillOnce(large.databaseUrl, many);
  try {
    const scans = await scansOf(large.databaseUrl, listed);
    const growths: Growth[] = [];
    for (const { path } of listed) {
      progress(path);
      const request: HttpRequest = {
        method: 'GET',
        path,
        headers: headers ?? { 'X-Service-Token': platform.serviceToken },
      };
      const at = (url: string) => (milliseconds: number) => load(url, 1, milliseconds, (send) => send(request));
      const rates = await interleave(
        { baseline: at(small.url), subject: at(large.url) },
        { rounds, ...TIMES[platform.size] },
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
  const parameters = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [
      key,
      value instanceof Date ? value.toISOString() : String(value),
    ]),
  ).toString();
  return parameters ? `${path}?${parameters}` : path;
}

type OnItsDatabase = RunningService & { databaseUrl: string };

/** Runs the features' own statements; each is first explained with the parameters of the run. */
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
        if (sql.startsWith('SET ')) return [];
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
