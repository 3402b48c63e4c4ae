import { Inject, Injectable } from '@nestjs/common';
import { type ActionType, beginningOf } from '@platform/contracts';
import { queryPrepared, type Row } from '@platform/persistence';
import { Batches, LOGGER, newId } from '@platform/platform';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import type { Action } from './action.entity.js';

/** A call that was made. */
export interface MadeCall {
  /** Where it was made before the call, such as for the charge; begins with `act_`. */
  id?: string;
  /** Null for a run of no user. */
  userId: string | null;
  tenantId: string;
  appId: string;
  function: string;
  /** Null when the app has no such function. */
  actionType: ActionType | null;
  status: 'success' | 'error';
  errorCode: string | null;
  error: string | null;
  durationMs: number;
  /** Credits that were spent for it; nothing unless told. */
  actionPrice?: number;
  /** What of that is of the function, without a fee of the platform. */
  extensionPrice?: number;
  details: { via: 'call' | 'batch' | 'operate' | 'task' | 'extension' | 'automation'; chain_id?: string; from_app?: string };
}

/** As JSON, whose numbers are numbers. */
interface Written extends Row<
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
 * Of a user who was erased during the call it is as `forgetSome` leaves it. It locks no user, since it would wait with the calls of others for whoever
 * holds one: a user who is erased during the statement is forgotten by the job of the erasure.
 *
 * The limit has PostgreSQL look up each user by the index: it takes the recordset for a hundred rows, and would read all users.
 *
 * Not waiting for the disk: a crash of PostgreSQL may lose the actions of its last half second, a crash of the gateway none.
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
export class ActionLog {
  private readonly batches = new Batches((rows: Written[]) => this.write(rows), { maxItems: MAX_ROWS });
  private readonly lost: Counter;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly log: Logger,
    metrics: Registry,
  ) {
    this.lost = new Counter({ name: 'actions_lost_total', help: 'Calls that could not be recorded', registers: [metrics] });
  }

  /**
   * Resolves when the call is recorded, also when it could not be: the function has run, and its caller is told so in any case. What is
   * lost is counted and logged.
   */
  record(call: MadeCall): Promise<void> {
    return this.batches.add(toRow(call));
  }

  private async write(rows: Written[]): Promise<void[]> {
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
}: MadeCall): Written => ({
  id,
  user_id: userId,
  tenant_id: tenantId,
  app_id: appId,
  function: storable(name),
  action_type: actionType,
  status,
  error_code: errorCode && storable(errorCode),
  error: error && storable(beginningOf(error, MAX_ERROR_LENGTH)),
  duration_ms: Math.round(durationMs),
  action_price: actionPrice,
  extension_price: extensionPrice,
  details,
});

/** Without what PostgreSQL cannot hold: one such text would keep all that are written with it from being recorded. */
export const storable = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '');
