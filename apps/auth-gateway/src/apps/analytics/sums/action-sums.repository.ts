import { Injectable } from '@nestjs/common';
import { RetentionService, readInSnapshot, TenantData } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';

/** Rows of a user that one statement deletes. */
const SUMS_DELETED_AT_ONCE = 1_000;
/** Time span that one transaction sums up, short enough for the statement timeout. */
const SPAN = '10 minutes';
/** Delay after which a transaction that has begun is visible in `pg_stat_activity`. */
const SETTLED = '1 minute';
/** Users read the current month. */
const KEPT_OF_USERS = '40 days';
/** Developers of the highest tier read at most 365 days. */
const KEPT_OF_APPS = '400 days';

export interface UserAppSum {
  app_id: string;
  actions: number;
  tokens_used: string;
  credits: string;
}

export interface FunctionSum {
  /** Empty for all names that are not functions of the app; null for the sum of all functions. */
  function: string | null;
  total_actions: number;
  errors: number;
  avg_duration_ms: number | null;
}

export interface AppSums {
  active_users: number;
  /** The sum of all functions first, then the most used function. */
  functions: FunctionSum[];
}

/**
 * Daily sums of actions; an action is the record of one call of a function. Calls do not update the
 * sums, because concurrent calls of one function would wait for the same row. A job adds finished
 * periods, and reads add the actions of the last one or two minutes themselves.
 */
@Injectable()
export class ActionSumsRepository {
  constructor(
    private readonly dataSource: DataSource,
    retention: RetentionService,
  ) {
    retention.registerExpiredRows(
      {
        table: 'user_action_sums',
        key: 'tenant_id, user_id, day, app_id',
        where: `day < current_date - interval '${KEPT_OF_USERS}'`,
      },
      {
        table: 'app_action_sums',
        key: 'app_id, day, function',
        where: `day < current_date - interval '${KEPT_OF_APPS}'`,
      },
      {
        table: 'app_action_users',
        key: 'app_id, user_id',
        where: `last_day < current_date - interval '${KEPT_OF_APPS}'`,
      },
    );
  }

  /**
   * Returns the sums of a user's actions with each app for the days (UTC) from `since` on, the most
   * used app first. Apps that the user did not use are missing.
   */
  findUserSums(tenantId: string, userId: string, since: Date): Promise<UserAppSum[]> {
    return readInSnapshot(this.dataSource, async (em) =>
      new TenantData(em, tenantId).query<UserAppSum>(USER_SUMS_SQL, [
        userId,
        dayOf(since),
        later(since, await summedUntil(em)),
      ]),
    );
  }

  /**
   * Returns the number of users of an app and the sums of its actions for the days (UTC) from
   * `since` on: the sum of all functions, then at most `limit` + 1 entries, most used first. These
   * are functions, and one with an empty name for calls of names that are not functions of the app.
   */
  findAppSums(appId: string, since: Date, limit: number): Promise<AppSums> {
    return readInSnapshot(this.dataSource, async (em) => {
      const values = [appId, dayOf(since), later(since, await summedUntil(em))];
      const [users] = await em.query<[{ active_users: number }]>(APP_USERS_SQL, values);
      // Two more rows: the sum of all functions, and the sum of names that are not functions of the
      // app.
      return { ...users, functions: await em.query<FunctionSum[]>(`${APP_SUMS_SQL} LIMIT ${limit + 2}`, values) };
    });
  }

  /**
   * Adds the oldest actions that are not in the daily sums yet: those of at most 10 minutes, and
   * none that are younger than `settled` (a PostgreSQL interval).
   *
   * @returns true if more actions can be added now; false also while another process adds some.
   */
  addNextActions(settled = SETTLED): Promise<boolean> {
    return this.dataSource.transaction(async (em) => {
      const [mark] = await em.query<{ summed_until: Date; until: Date; has_more: boolean }[]>(NEXT_SPAN_SQL, [settled]);
      // Another process is running, or no span has ended.
      if (!mark || mark.until <= mark.summed_until) return false;
      await em.query(ADD_ACTIONS_SQL, [mark.summed_until, mark.until]);
      return mark.has_more;
    });
  }

  /**
   * Deletes daily sums of a user during account deletion, at most 1,000 rows of each of two tables.
   * Returns the larger of the two numbers of deleted rows; 0 means that none were left.
   */
  async deleteUserSumsBatch(tenant: TenantData, userId: string): Promise<number> {
    const sums = await tenant.query(DELETE_SUMS_SQL, [userId]);
    const uses = await tenant.query(DELETE_USES_SQL, [userId]);
    return Math.max(sums.length, uses.length);
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

const later = (one: Date, other: Date): Date => (one > other ? one : other);

/**
 * Returns the time before which the sums contain all actions. It is read by a separate query: with
 * a parameter for the time, the planner knows how few actions come after it.
 */
async function summedUntil(em: EntityManager): Promise<Date> {
  const [mark] = await em.query<[{ summed_until: Date }]>('SELECT summed_until FROM action_sums_mark');
  return mark.summed_until;
}

const USER_SUMS_SQL = `
  SELECT app_id, sum(actions)::int AS actions, sum(tokens_used) AS tokens_used, sum(credits) AS credits FROM (
    SELECT app_id, actions, tokens_used, credits FROM user_action_sums WHERE tenant_id = $tenant AND user_id = $1 AND day >= $2
    UNION ALL
    SELECT app_id, count(*), sum(tokens_used), sum(action_price) FROM actions
    WHERE tenant_id = $tenant AND user_id = $1 AND created_at >= $3 GROUP BY app_id
  ) AS of_days GROUP BY app_id ORDER BY actions DESC, app_id` as const;

const FAILED = "status NOT IN ('success', 'completed')";
/** Name of the function, or empty if the app has no function with this name. */
const KNOWN_NAME = "CASE WHEN action_type IS NULL THEN '' ELSE function END";

const APP_SUMS_SQL = `
  SELECT function, coalesce(sum(actions), 0)::int AS total_actions, coalesce(sum(errors), 0)::int AS errors,
    round(sum(duration_ms) / nullif(sum(timed), 0))::float8 AS avg_duration_ms
  FROM (
    SELECT function, actions, errors, timed, duration_ms FROM app_action_sums WHERE app_id = $1 AND day >= $2
    UNION ALL
    SELECT ${KNOWN_NAME} AS name, count(*), count(*) FILTER (WHERE ${FAILED}), count(duration_ms), sum(duration_ms) FROM actions
    WHERE app_id = $1 AND created_at >= $3 GROUP BY name
  ) AS of_days GROUP BY GROUPING SETS ((), (function)) ORDER BY grouping(function) DESC, total_actions DESC, function`;

const APP_USERS_SQL = `
  SELECT (SELECT count(*) FROM app_action_users WHERE app_id = $1 AND last_day >= $2)::int + (
    SELECT count(DISTINCT a.user_id) FROM actions a WHERE a.app_id = $1 AND a.created_at >= $3
      AND NOT EXISTS (SELECT FROM app_action_users known WHERE known.app_id = a.app_id AND known.user_id = a.user_id AND known.last_day >= $2)
  )::int AS active_users`;

/**
 * The next span. It ends before any open transaction, because `created_at` is the start of a
 * transaction, and `$1` ago, for transactions that are just starting. In milliseconds, the
 * precision of JavaScript dates.
 */
const NEXT_SPAN_SQL = `
  WITH over AS (
    SELECT date_trunc('milliseconds', least(now() - $1::interval, min(xact_start))) AS until FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
  )
  SELECT m.summed_until, least(over.until, m.summed_until + interval '${SPAN}') AS until, over.until > m.summed_until + interval '${SPAN}' AS has_more
  FROM action_sums_mark m, over FOR UPDATE OF m SKIP LOCKED`;

/** The expression for the time must match the index `actions_time_idx`. */
const ADD_ACTIONS_SQL = `
  WITH sums AS MATERIALIZED (
    SELECT tenant_id, user_id, app_id, ${KNOWN_NAME} AS function, (created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS actions,
      count(*) FILTER (WHERE ${FAILED}) AS errors, count(duration_ms) AS timed, coalesce(sum(duration_ms), 0) AS duration_ms,
      sum(tokens_used) AS tokens_used, sum(action_price) AS credits
    FROM actions
    WHERE created_at AT TIME ZONE 'UTC' >= $1::timestamptz AT TIME ZONE 'UTC' AND created_at AT TIME ZONE 'UTC' < $2::timestamptz AT TIME ZONE 'UTC'
    GROUP BY 1, 2, 3, 4, 5
  ), of_people AS MATERIALIZED (
    SELECT s.* FROM sums s JOIN users u ON u.id = s.user_id WHERE u.erased_at IS NULL
  ), of_users AS (
    INSERT INTO user_action_sums AS t (tenant_id, user_id, day, app_id, actions, tokens_used, credits)
    SELECT tenant_id, user_id, day, app_id, sum(actions), sum(tokens_used), sum(credits) FROM of_people GROUP BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, user_id, day, app_id) DO UPDATE
    SET actions = t.actions + EXCLUDED.actions, tokens_used = t.tokens_used + EXCLUDED.tokens_used, credits = t.credits + EXCLUDED.credits
  ), of_apps AS (
    INSERT INTO app_action_sums AS t (app_id, day, function, actions, errors, timed, duration_ms)
    SELECT app_id, day, function, sum(actions), sum(errors), sum(timed), sum(duration_ms) FROM sums GROUP BY 1, 2, 3
    ON CONFLICT (app_id, day, function) DO UPDATE
    SET actions = t.actions + EXCLUDED.actions, errors = t.errors + EXCLUDED.errors, timed = t.timed + EXCLUDED.timed,
      duration_ms = t.duration_ms + EXCLUDED.duration_ms
  ), users_of_apps AS (
    INSERT INTO app_action_users AS t (app_id, user_id, last_day) SELECT app_id, user_id, max(day) FROM of_people GROUP BY 1, 2
    ON CONFLICT (app_id, user_id) DO UPDATE SET last_day = EXCLUDED.last_day WHERE t.last_day < EXCLUDED.last_day
  )
  UPDATE action_sums_mark SET summed_until = $2`;

const DELETE_SUMS_SQL = `
  DELETE FROM user_action_sums WHERE tenant_id = $tenant AND user_id = $1 AND (day, app_id) IN (
    SELECT day, app_id FROM user_action_sums WHERE tenant_id = $tenant AND user_id = $1 LIMIT ${SUMS_DELETED_AT_ONCE})
  RETURNING app_id` as const;

const DELETE_USES_SQL = `
  DELETE FROM app_action_users WHERE user_id = (SELECT id FROM users WHERE tenant_id = $tenant AND id = $1) AND app_id IN (
    SELECT app_id FROM app_action_users WHERE user_id = $1 LIMIT ${SUMS_DELETED_AT_ONCE})
  RETURNING app_id` as const;
