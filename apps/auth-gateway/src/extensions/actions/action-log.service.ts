import { Inject, Injectable } from '@nestjs/common';
import { type ActionType, truncateText } from '@platform/contracts';
import { queryPrepared, type Row } from '@platform/persistence';
import { Batcher, LOGGER, newId } from '@platform/platform';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import type { Action } from './action.entity.js';

export interface RecordedCall {
  /** Set if the ID was needed before the call, such as for the charge; begins with `act_`. */
  id?: string;
  /** Null for a run without a user. */
  userId: string | null;
  tenantId: string;
  appId: string;
  function: string;
  /** Null if the app has no such function. */
  actionType: ActionType | null;
  status: 'success' | 'error';
  errorCode: string | null;
  error: string | null;
  durationMs: number;
  /** Credits spent for the call. Default: 0. */
  actionPrice?: number;
  /** Part of `actionPrice` for the function, without the platform's fee. */
  extensionPrice?: number;
  details: {
    via: 'call' | 'batch' | 'operate' | 'task' | 'extension' | 'automation';
    chain_id?: string;
    from_app?: string;
  };
}

/** Row for the JSON parameter of the statement, with numbers as numbers. */
interface ActionLogRow extends Row<
  Action,
  'id' | 'userId' | 'tenantId' | 'appId' | 'function' | 'actionType' | 'status' | 'errorCode' | 'error'
> {
  duration_ms: number;
  action_price: number;
  extension_price: number;
  details: object;
}

const MAX_ROWS = 500;
const MAX_ERROR_LENGTH = 1_000;

/**
 * A call of a user who was deleted meanwhile is recorded without user, error and details, as
 * `anonymizeSome` would leave it. The statement locks no user: with a lock, one blocked user would
 * delay the calls of all others. The job of the account deletion handles users who are deleted
 * during the statement.
 *
 * `LIMIT 1` makes PostgreSQL look up each user by the index. It estimates a hundred rows for the
 * recordset, and would otherwise read all users.
 *
 * The commit does not wait for the disk. A crash of PostgreSQL can lose the actions of the last
 * half second; a crash of the gateway loses none.
 */
const INSERT = `
  WITH commit AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  INSERT INTO actions (id, trace_id, user_id, tenant_id, app_id, function, action_type, status, error_code, error, duration_ms,
    action_price, extension_price, details, completed_at)
  SELECT r.id, r.id, u.id, r.tenant_id, app_id, function, action_type, status, error_code, CASE WHEN is_kept THEN error END, duration_ms,
    action_price, extension_price, CASE WHEN is_kept THEN details ELSE '{}' END, now()
  FROM commit, jsonb_to_recordset($1) AS r (id text, user_id text, tenant_id text, app_id text, function text, action_type text, status text,
      error_code text, error text, duration_ms bigint, action_price bigint, extension_price bigint, details jsonb)
    LEFT JOIN LATERAL (SELECT id FROM users WHERE users.id = r.user_id AND erased_at IS NULL LIMIT 1) AS u ON true
    CROSS JOIN LATERAL (SELECT r.user_id IS NULL OR u.id IS NOT NULL AS is_kept) AS k`;

/** Records calls, many with one statement. */
@Injectable()
export class ActionLogService {
  private readonly batches = new Batcher((rows: ActionLogRow[]) => this.writeBatch(rows), { maxItems: MAX_ROWS });
  private readonly lost: Counter;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly log: Logger,
    metrics: Registry,
  ) {
    this.lost = new Counter({
      name: 'actions_lost_total',
      help: 'Calls that could not be recorded',
      registers: [metrics],
    });
  }

  /**
   * Records a call as an action. Resolves when the call is recorded, and also when that fails: the
   * function has run, and its caller gets the answer in any case. Failures are counted and logged.
   */
  record(call: RecordedCall): Promise<void> {
    return this.batches.addItem(toRow(call));
  }

  private async writeBatch(rows: ActionLogRow[]): Promise<void[]> {
    try {
      await queryPrepared(this.dataSource, INSERT, [JSON.stringify(rows)]);
    } catch (err) {
      this.lost.inc(rows.length);
      this.log.error({ err, actions: rows.length }, 'calls could not be recorded');
    }
    return [];
  }
}

const toRow = ({
  id = newId('act'),
  userId,
  tenantId,
  appId,
  function: name,
  actionType,
  status,
  errorCode,
  error,
  durationMs,
  actionPrice = 0,
  extensionPrice = 0,
  details,
}: RecordedCall): ActionLogRow => ({
  id,
  user_id: userId,
  tenant_id: tenantId,
  app_id: appId,
  function: toStorableText(name),
  action_type: actionType,
  status,
  error_code: errorCode && toStorableText(errorCode),
  error: error && toStorableText(truncateText(error, MAX_ERROR_LENGTH)),
  duration_ms: Math.round(durationMs),
  action_price: actionPrice,
  extension_price: extensionPrice,
  details,
});

/**
 * Removes the characters that PostgreSQL cannot store: NUL and unpaired surrogates. One text with
 * them would fail the whole statement.
 */
export const toStorableText = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '');
