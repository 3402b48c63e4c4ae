import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/**
 * Most actions of an app that are read of each five minutes of the last hour. The newest are read.
 * A caller with very many calls cannot hide the results of others.
 */
const MOST_ACTIONS = 2_000;

/** Error codes of faults of the app. Other errors are regular answers to the caller. */
const FAULTS = [
  ...[
    'TIMEOUT',
    'BACKEND_TIMEOUT',
    'BACKEND_5XX',
    'INTERNAL',
    'STEP_FAILED',
    'FUNCTION_NOT_AVAILABLE',
    'RESULT_INVALID',
  ],
  ...[
    'HANDLER_FAILED',
    'HANDLER_STALLED',
    'CPU_LIMIT',
    'MEMORY_LIMIT',
    'OUT_OF_MEMORY',
    'RUNTIME_RESTARTED',
    'RUNTIME_UNAVAILABLE',
  ],
];

/** Error codes of calls that did not run. They say nothing about the app. */
const REFUSALS = [
  ...[
    'UNKNOWN_SUB_FUNCTION',
    'PERMISSION_DENIED',
    'INSUFFICIENT_CREDITS',
    'USAGE_LIMIT_EXCEEDED',
    'SPENDING_LIMIT_REACHED',
  ],
  ...['PRICE_NOT_AGREED', 'RATE_LIMITED'],
];

/**
 * Number of users who called an app in the last hour, and for how many of them the last call failed
 * by a fault of the app.
 */
export interface RecentOutcomes {
  callers: number;
  failing: number;
}

/**
 * Outcomes of calls of an app by users other than its developer. Each user counts once, however
 * often they call.
 */
@Injectable()
export class AppOutcomesRepository {
  constructor(private readonly dataSource: DataSource) {}

  async getRecentOutcomes(appId: string): Promise<RecentOutcomes> {
    return (await this.findRecentOutcomes([appId])).get(appId) ?? { callers: 0, failing: 0 };
  }

  /**
   * Returns for each of these apps how many users called it in the last hour, and for how many of
   * them the last call failed by a fault of the app (`FAULTS`). Refused calls (`REFUSALS`, invalid
   * params) and calls of the app's developer are left out. Reads the newest 2,000 calls of each
   * five minutes. All calls without a user count as one user. Unknown apps have no entry.
   */
  async findRecentOutcomes(appIds: readonly string[]): Promise<Map<string, RecentOutcomes>> {
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
