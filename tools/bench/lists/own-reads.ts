import { EarningsRepository, type SubscriptionsService } from '@platform/billing';
import { DEFAULT_TENANT, type ListActionsQuery } from '@platform/contracts';
import { generateApiKey, type UserCaller } from '@platform/guards';
import type { JobsService } from '@platform/messaging';
import { createDataSource, RetentionService } from '@platform/persistence';
import { sha256 } from '@platform/platform';
import { Client } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { Config } from '../../../apps/auth-gateway/src/config.js';
import { AppAnalyticsService } from '../../../apps/auth-gateway/src/apps/analytics/app-analytics.service.js';
import { AppUsageService } from '../../../apps/auth-gateway/src/apps/analytics/app-usage.service.js';
import { ActionSumsRepository } from '../../../apps/auth-gateway/src/apps/analytics/sums/action-sums.repository.js';
import type { ActionChargesService } from '../../../apps/auth-gateway/src/extensions/actions/action-charges.service.js';
import { ActionStatsService } from '../../../apps/auth-gateway/src/extensions/actions/action-stats.service.js';
import { ActionsService } from '../../../apps/auth-gateway/src/extensions/actions/actions.service.js';
import type { AccountDeletionService } from '../../../apps/auth-gateway/src/kernel/account-deletion/account-deletion.service.js';
import { pathOf, whileGrowing, type Listed } from './growth.js';
import { withoutIndexes } from './growth-tables.js';

/** User with all actions, who also owns the app. */
const USER = 'usr_bench_of_actions';
const APP = 'bench-actions';
const KEY = generateApiKey();
const DAYS = 30;

const caller = { userId: USER, tenantId: DEFAULT_TENANT } as UserCaller;
const config = { DEVELOPER_TIER_LIMITS: { explorer: { analytics_days: 365 } } } as unknown as Config;
const unlimited = { getCurrentPlan: () => Promise.resolve({ limits: {} }) } as unknown as SubscriptionsService;
const nothing = {
  registerExpiredRows: () => undefined,
  addDataStep: () => undefined,
  registerHandlers: () => undefined,
};

/** Makes a DataSource whose statements, also in transactions, go through `em`. */
const through = (em: EntityManager): DataSource =>
  ({
    manager: em,
    query: (sql: string, values: unknown[]) => em.query(sql, values),
    transaction: (_isolation: string, read: (within: EntityManager) => Promise<unknown>) => read(em),
  }) as unknown as DataSource;

const sumsOf = (em: EntityManager) => new ActionSumsRepository(through(em), nothing as unknown as RetentionService);
const usageOf = (em: EntityManager) => new AppUsageService(through(em), sumsOf(em), config);

const SUMS: Listed[] = [
  { path: '/v1/actions/stats', read: (em) => new ActionStatsService(sumsOf(em), unlimited).getStats(caller) },
  { path: `/v1/actions/stats/extension/${APP}`, read: (em) => usageOf(em).getDeveloperUsage(caller, APP) },
  ...[7, DAYS, 365].map((days) => ({
    path: pathOf(`/v1/developer/apps/${APP}/analytics`, { days }),
    read: (em: EntityManager) =>
      new AppAnalyticsService(through(em), usageOf(em), new EarningsRepository(through(em)), config).getAppAnalytics(
        caller,
        APP,
        {
          days,
        },
      ),
  })),
];

/** Lists that match everything, a few rows or none, and late pages. */
const QUERIES: Partial<ListActionsQuery>[] = [
  {},
  { page: 150 },
  { page: 10_000 },
  { app_id: APP },
  { status: 'error' },
  { status: 'rejected' },
  { search: 'make' },
  { search: 'xyzzyplugh' },
  { search: 'xyzzyplugh', status: 'error' },
];

const LISTS: Listed[] = QUERIES.map((query) => ({
  path: pathOf('/v1/actions', query),
  read: (em) =>
    new ActionsService(
      through(em),
      {} as ActionChargesService,
      nothing as unknown as JobsService,
      sumsOf(em),
      nothing as unknown as RetentionService,
      nothing as unknown as AccountDeletionService,
    ).listActions(caller, { page: 1, per_page: 50, ...query }),
}));

const common = {
  what: 'actions of one user',
  fill: fillActions,
  headers: { Authorization: `Bearer ${KEY.key}` },
};

/** Compares the statistics of a user and of an app with a thousand actions and with a million. */
export const ownSums = whileGrowing({
  ...common,
  name: 'own_sums',
  counts: { full: { small: 1_000, large: 1_000_000 }, tiny: { small: 200, large: 400 } },
  listed: SUMS,
});

/**
 * Compares lists and searches of a user's actions: with ten thousand, the most that a request
 * reads, and with a million.
 */
export const ownLists = whileGrowing({
  ...common,
  name: 'own_lists',
  counts: { full: { small: 10_000, large: 1_000_000 }, tiny: { small: 200, large: 400 } },
  listed: LISTS,
});

/** Inserts this many actions of the user over the last days, and sums them up like the job. */
async function fillActions(databaseUrl: string, rows: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, options: '-c search_path=gateway' });
  await client.connect();
  try {
    await insertOwner(client);
    await withoutIndexes(client, 'actions', () =>
      client.query(
        `INSERT INTO actions (id, trace_id, tenant_id, user_id, app_id, function, action_type, status, duration_ms, created_at)
         SELECT 'act_' || n, 'act_' || n, $1, $2, $3, 'make_' || n % 5, 'write', CASE WHEN n % 30 = 7 THEN 'error' ELSE 'success' END, n % 900,
           now() - interval '5 minutes' - (${rows} - n) * interval '${DAYS} days' / ${rows}
         FROM generate_series(1, ${rows}) AS n`,
        [DEFAULT_TENANT, USER, APP],
      ),
    );
    await client.query(
      `UPDATE action_sums_mark SET summed_until = date_trunc('milliseconds', now() - interval '${DAYS + 1} days')`,
    );
    await client.query('VACUUM ANALYZE actions');
    await sumUp(databaseUrl);
    await client.query('VACUUM ANALYZE user_action_sums, app_action_sums, app_action_users');
  } finally {
    await client.end();
  }
}

async function insertOwner(client: Client): Promise<void> {
  await client.query("SET session_replication_role = 'replica'");
  await client.query(
    `INSERT INTO users (id, tenant_id, email, email_canonical, scopes) VALUES ($1, $2, $1, $1, '{actions:read,apps:read}')`,
    [USER, DEFAULT_TENANT],
  );
  await client.query(
    `INSERT INTO subscriptions (id, tenant_id, user_id, plan_id, plan_version, status, started_at, anchor_at, period_number, period_starts_at, period_ends_at)
     VALUES ('sub_bench_of_actions', $2, $1, 'enterprise', 1, 'active', now(), now(), 1, now(), now() + interval '1 month')`,
    [USER, DEFAULT_TENANT],
  );
  await client.query(
    "INSERT INTO api_keys (id, user_id, lookup, secret_hash, name, scopes) VALUES ('key_actions', $1, $2, $3, 'bench', '{*}')",
    [USER, KEY.lookup, sha256(KEY.secret)],
  );
  await client.query("INSERT INTO developers (user_id, display_name) VALUES ($1, 'Ada')", [USER]);
  await client.query(
    "INSERT INTO apps (app_id, developer_id, display_name, status) VALUES ($1, $2, 'Actions', 'draft')",
    [APP, USER],
  );
}

async function sumUp(databaseUrl: string): Promise<void> {
  const dataSource = createDataSource({
    url: databaseUrl,
    schema: 'gateway',
    poolSize: 1,
    entities: [],
    migrations: [],
  });
  await dataSource.initialize();
  try {
    const sums = new ActionSumsRepository(dataSource, new RetentionService(dataSource));
    while (await sums.addNextActions());
  } finally {
    await dataSource.destroy();
  }
}
