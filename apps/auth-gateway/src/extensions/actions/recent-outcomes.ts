import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Of an app, the newest in each five minutes of the last hour: who calls very often does not hide what others saw before. */
const MOST_ACTIONS = 2_000;

/** That a function did not do what it should. Other failures are what it says of what its caller wanted. */
const FAULTS = [
  ...['TIMEOUT', 'BACKEND_TIMEOUT', 'BACKEND_5XX', 'INTERNAL', 'STEP_FAILED', 'FUNCTION_NOT_AVAILABLE', 'RESULT_INVALID'],
  ...['HANDLER_FAILED', 'HANDLER_STALLED', 'CPU_LIMIT', 'MEMORY_LIMIT', 'OUT_OF_MEMORY', 'RUNTIME_RESTARTED', 'RUNTIME_UNAVAILABLE'],
];

/** That nothing ran, which says nothing of the app. */
const REFUSALS = [
  ...['UNKNOWN_SUB_FUNCTION', 'PERMISSION_DENIED', 'INSUFFICIENT_CREDITS', 'USAGE_LIMIT_EXCEEDED', 'SPENDING_LIMIT_REACHED'],
  ...['PRICE_NOT_AGREED', 'RATE_LIMITED'],
];

/** How many people have called an app lately, and for how many of them the last call went wrong. */
export interface RecentOutcomes {
  callers: number;
  failing: number;
}

/** What became of calls of an app by others than its developer: one person counts once, however often they call. */
@Injectable()
export class AppOutcomes {
  constructor(private readonly dataSource: DataSource) {}

  async recent(appId: string): Promise<RecentOutcomes> {
    return (await this.recentOf([appId])).get(appId) ?? { callers: 0, failing: 0 };
  }

  /** The same of several apps, by their ids; none of an app that there is not. */
  async recentOf(appIds: readonly string[]): Promise<Map<string, RecentOutcomes>> {
    if (!appIds.length) return new Map();
    const found = await this.dataSource.query<(RecentOutcomes & { app_id: string })[]>(
      `SELECT a.app_id, of_app.callers, of_app.failing FROM apps a CROSS JOIN LATERAL (
         SELECT count(*)::int AS callers, count(*) FILTER (WHERE is_fault)::int AS failing FROM (
           SELECT DISTINCT ON (user_id) status = 'error' AND error_code = ANY ($2) AS is_fault FROM (
             SELECT newest.* FROM generate_series(0, 11) AS n CROSS JOIN LATERAL (
               SELECT user_id, status, error_code, created_at FROM actions
               WHERE app_id = a.app_id
                 AND created_at > now() - (n + 1) * interval '5 minutes' AND created_at <= now() - n * interval '5 minutes'
                 AND (error_code IS NULL OR error_code <> ALL ($3) AND NOT starts_with(error_code, 'VALIDATION_'))
                 AND user_id IS DISTINCT FROM a.developer_id
               ORDER BY created_at DESC LIMIT ${MOST_ACTIONS}
             ) AS newest
           ) AS of_the_hour ORDER BY user_id, created_at DESC
         ) AS of_callers
       ) AS of_app WHERE a.app_id = ANY ($1)`,
      [appIds, FAULTS, REFUSALS],
    );
    return new Map(found.map(({ app_id, ...outcomes }) => [app_id, outcomes]));
  }
}
