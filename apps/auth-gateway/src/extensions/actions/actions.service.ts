import { Injectable } from '@nestjs/common';
import {
  DEFAULT_TENANT,
  isSuccess,
  type ActionCreateRequest,
  type ActionDetailResponse,
  type ActionPageResponse,
  type ActionResponse,
  type CreatedAction,
  type ListActionsQuery,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { JobsService, Postponed } from '@platform/messaging';
import { columns, RetentionService, runInTurn, TenantData, type Row, type RowOf } from '@platform/persistence';
import { newId, ValidationFailed } from '@platform/platform';
import { DataSource } from 'typeorm';
import { ActionSumsRepository } from '../../apps/analytics/sums/action-sums.repository.js';
import { HeavyReadLimiter } from '../../kernel/heavy-read-limiter.js';
import { AccountDeletionService } from '../../kernel/account-deletion/account-deletion.service.js';
import { assertFunctionReportable } from '../../apps/own-apps/reportable-functions.js';
import { findTenantId } from '../access/extension-owner.js';
import { countTotal } from '../../kernel/paging/total.js';
import { lockAccount } from '../../identity/accounts/lock-account.js';
import { ActionChargesService } from './action-charges.service.js';
import { Action } from './action.entity.js';
import { ActionErrors } from './actions.errors.js';
import { actionQueue, type ActionJobs } from './actions.jobs.js';

const COLUMNS = columns(Action, [
  'id',
  'traceId',
  'userId',
  'tenantId',
  'appId',
  'function',
  'actionType',
  'status',
  'errorCode',
  'error',
  'durationMs',
  'tokensUsed',
  'actionPrice',
  'extensionPrice',
  'platformFee',
  'details',
  'createdAt',
  'completedAt',
]);
/** An action of a user. Actions without a user are never read. */
type ActionRow = RowOf<typeof COLUMNS> & { user_id: string };

const RECORDED = columns(Action, ['id', 'userId', 'actionPrice', 'extensionPrice', 'platformFee']);

/** Most actions that one transaction updates, so that it holds no locks for long. */
const ANONYMIZED_AT_ONCE = 1_000;
/** Most actions, the newest ones, that a list covers. */
const MOST_LISTED = 10_000;
/**
 * Time after an account deletion in which a statement that began before it can still write: longer
 * than any statement takes (`SESSION_LIMITS`).
 */
const WRITES_MS = 60_000;
/** Pause between two runs of a job, so that other jobs can run. */
const NEXT_RUN_MS = 100;

/** Records and lists actions: calls of functions of apps. */
@Injectable()
export class ActionsService {
  private readonly searches = new HeavyReadLimiter();

  constructor(
    private readonly dataSource: DataSource,
    private readonly charges: ActionChargesService,
    private readonly jobs: JobsService,
    private readonly sums: ActionSumsRepository,
    retention: RetentionService,
    accountDeletion: AccountDeletionService,
  ) {
    // The longest period that a developer of any tier can see.
    retention.registerExpiredRows({
      table: 'actions',
      key: 'id',
      where: "created_at AT TIME ZONE 'UTC' < now() AT TIME ZONE 'UTC' - interval '400 days'",
    });
    accountDeletion.addDataStep((tenant, userId) => this.anonymizeNewest(tenant, userId));
    jobs.registerHandlers(actionQueue, { forget: (job) => this.anonymizeRest(job) });
  }

  /**
   * Records an action that a backend did for a user, and charges the user its price if it
   * succeeded, in one transaction. Also counts its AI tokens. A retry with the same trace ID
   * changes nothing. If the record was deleted meanwhile, a retry records the action again, but
   * does not charge a price again.
   *
   * @throws AppError 404 `user.not_found` for an unknown user; 403 `other_tenant` if `tenant_id` is
   * neither `default` nor the user's tenant; 409 `action.trace_id_taken` or `action.prices_differ`
   * if the trace ID was used for another user or with other prices; ValidationFailed for an unknown
   * app or function, and if the prices do not add up.
   */
  async createAction(request: ActionCreateRequest): Promise<CreatedAction> {
    const {
      trace_id,
      user_id,
      tenant_id,
      app_id,
      tool_name,
      action_type,
      status,
      error,
      duration_ms,
      completed_at,
      ...more
    } = request;
    const { tokens_used, action_price: _sum, extension_price: _ofApp, platform_fee: _ofPlatform, ...details } = more;
    const prices = pricesOf(request);
    const owner = await findTenantId(this.dataSource.manager, user_id);
    if (owner === null) throw ActionErrors.userNotFound();
    if (tenant_id !== DEFAULT_TENANT && tenant_id !== owner) throw ActionErrors.otherTenant();
    const tenant = new TenantData(this.dataSource.manager, owner);
    const known = await findSame(tenant, { trace_id, user_id, prices });
    if (known !== null) return { id: known, trace_id };
    await assertFunctionReportable(this.dataSource.manager, app_id, tool_name);
    return this.dataSource.transaction(async (em) => {
      if (!(await lockAccount(em, user_id))) throw ActionErrors.userNotFound();
      const id = newId('act');
      const within = new TenantData(em, owner);
      const [made] = await within.query<Row<Action, 'id'>>(
        `INSERT INTO actions (id, trace_id, tenant_id, user_id, app_id, function, action_type, status, error, duration_ms, completed_at,
           tokens_used, action_price, extension_price, platform_fee, details)
         VALUES ($1, $2, $tenant, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) ON CONFLICT (trace_id) DO NOTHING RETURNING id`,
        [
          id,
          trace_id,
          user_id,
          app_id,
          tool_name,
          action_type,
          status,
          error,
          duration_ms,
          completed_at,
          tokens_used,
          prices.action_price,
          prices.extension_price,
          prices.platform_fee,
          JSON.stringify(details),
        ],
      );
      if (!made) {
        const same = await findSame(within, { trace_id, user_id, prices });
        if (same === null) throw ActionErrors.traceTaken();
        return { id: same, trace_id };
      }
      await this.charges.charge(em, {
        id,
        traceId: trace_id,
        userId: user_id,
        appId: app_id,
        function: tool_name,
        price: prices.action_price,
        extensionPrice: prices.extension_price,
        tokens: request.llm_total_tokens || tokens_used,
      });
      return { id, trace_id };
    });
  }

  /**
   * Returns a page of the user's actions, newest first. The list, its filters and its search cover
   * the newest 10,000 actions in the requested time; `total_is_exact` is false if there are more,
   * and if more than 1,000 matches follow the page.
   *
   * @throws AppError 429 `rate_limited` for a search while another search of the user runs in this
   * process.
   */
  listActions(user: UserCaller, query: ListActionsQuery): Promise<ActionPageResponse> {
    const read = () => this.readPage(user, query);
    return query.search ? this.searches.runExclusive(user.userId, read) : read();
  }

  private async readPage({ userId, tenantId }: UserCaller, query: ListActionsQuery): Promise<ActionPageResponse> {
    const tenant = new TenantData(this.dataSource.manager, tenantId);
    const { page, per_page: limit } = query;
    const span = spanOf(userId, query);
    const ofUser =
      `FROM actions WHERE tenant_id = $tenant ${span.conditions} ORDER BY created_at DESC, id DESC` as const;
    const { conditions, values } = filters(query, span.values);
    const newest = `FROM (SELECT ${COLUMNS} ${ofUser} LIMIT ${MOST_LISTED}) AS newest` as const;
    const matches = `${newest} WHERE true ${conditions} ORDER BY created_at DESC, id DESC` as const;
    const offset = (page - 1) * limit;
    const rows = await tenant.query<ActionRow>(`SELECT ${COLUMNS} ${matches} LIMIT ${limit} OFFSET ${offset}`, values);
    const { total, isExact } = await countTotal(tenant, { matches, values }, { rows, offset, limit });
    const isAll = async (): Promise<boolean> =>
      (await tenant.query(`SELECT 1 ${ofUser} OFFSET ${MOST_LISTED} LIMIT 1`, span.values)).length === 0;
    return { items: rows.map(toAction), total, total_is_exact: isExact && (await isAll()), page, per_page: limit };
  }

  /**
   * Returns an action of the user with its details.
   *
   * @throws AppError 404 `action.not_found` if the action does not exist or belongs to another
   * user.
   */
  async getAction({ userId, tenantId }: UserCaller, traceId: string): Promise<ActionDetailResponse> {
    const tenant = new TenantData(this.dataSource.manager, tenantId);
    const [row] = await tenant.query<ActionRow>(
      `SELECT ${COLUMNS} FROM actions WHERE tenant_id = $tenant AND trace_id = $1 AND user_id = $2`,
      [traceId, userId],
    );
    if (!row) throw ActionErrors.notFound();
    return Object.assign(toAction(row), { details: row.details });
  }

  /**
   * Removes a deleted user from the actions, which are the records of calls: their user, error text
   * and details. The newest 1,000 change in the transaction of `tenant`, which deletes the account;
   * a job changes the others, also those that are being written at the moment.
   */
  private async anonymizeNewest(tenant: TenantData, userId: string): Promise<void> {
    await anonymizeSome(tenant, userId);
    await this.jobs.enqueue(tenant.em, actionQueue, 'forget', { tenant_id: tenant.tenantId, user_id: userId });
  }

  /**
   * Removes a deleted user from the rest of the actions and from the sums of actions, in
   * transactions of 1,000 rows. Without `until`, it then enqueues itself for actions that are
   * written in the next minute.
   *
   * @throws Postponed if rows are left, or if it began before `until`: the job runs again later.
   */
  private async anonymizeRest({ until, ...user }: ActionJobs['forget']): Promise<void> {
    const begun = Date.now();
    const tenant = new TenantData(this.dataSource.manager, user.tenant_id);
    const isDone = await runInTurn(
      [() => anonymizeSome(tenant, user.user_id), () => this.sums.deleteUserSumsBatch(tenant, user.user_id)],
      {
        full: ANONYMIZED_AT_ONCE,
      },
    );
    if (!isDone) throw new Postponed('There are more actions than one run can process.', NEXT_RUN_MS);
    if (until === undefined) {
      const last = { ...user, until: begun + WRITES_MS };
      await this.dataSource.transaction((em) => this.jobs.enqueue(em, actionQueue, 'forget', last));
    } else if (begun < until)
      throw new Postponed(
        'Actions that were being written during the account deletion can still arrive.',
        until - begun,
      );
  }
}

type Prices = Pick<ActionCreateRequest, 'action_price' | 'extension_price' | 'platform_fee'>;

const FREE: Prices = { action_price: 0, extension_price: 0, platform_fee: 0 };

/**
 * Returns the prices of an action; all 0 unless it succeeded.
 *
 * @throws ValidationFailed if `action_price` is not the sum of `extension_price` and
 * `platform_fee`.
 */
function pricesOf({ status, action_price, extension_price, platform_fee }: ActionCreateRequest): Prices {
  if (action_price !== extension_price + platform_fee) {
    const msg = 'Input should be the sum of extension_price and platform_fee';
    throw new ValidationFailed([{ loc: ['body', 'action_price'], msg, type: 'value_error' }]);
  }
  return isSuccess(status) ? { action_price, extension_price, platform_fee } : FREE;
}

/**
 * Returns the ID of the action with this trace ID; null if the tenant has none.
 *
 * @throws AppError 409 `action.trace_id_taken` if its user differs, `action.prices_differ` if its
 * prices differ.
 */
async function findSame(
  tenant: TenantData,
  { trace_id, user_id, prices }: Pick<ActionCreateRequest, 'trace_id' | 'user_id'> & { prices: Prices },
): Promise<string | null> {
  const [action] = await tenant.query<RowOf<typeof RECORDED>>(
    `SELECT ${RECORDED} FROM actions WHERE tenant_id = $tenant AND trace_id = $1`,
    [trace_id],
  );
  if (!action) return null;
  if (action.user_id !== user_id) throw ActionErrors.traceTaken();
  const isSame = (['action_price', 'extension_price', 'platform_fee'] as const).every(
    (price) => Number(action[price]) === prices[price],
  );
  if (!isSame) throw ActionErrors.pricesDiffer();
  return action.id;
}

/**
 * Removes the user, error text and details from the newest actions that still name the user, at
 * most 1,000. The actions still count for the statistics of apps. Returns the number of changed
 * actions.
 */
async function anonymizeSome(tenant: TenantData, userId: string): Promise<number> {
  const forgotten = await tenant.query(
    `UPDATE actions SET user_id = NULL, error = NULL, details = '{}' WHERE id IN (
       SELECT id FROM actions WHERE tenant_id = $tenant AND user_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${ANONYMIZED_AT_ONCE})
     RETURNING id`,
    [userId],
  );
  return forgotten.length;
}

interface Conditions {
  conditions: string;
  values: unknown[];
}

/**
 * Returns the SQL conditions, with their values, for the user's own actions in the requested time.
 * An index has these actions in the order of the list.
 */
function spanOf(userId: string, { from, to }: ListActionsQuery): Conditions {
  const { add, made } = conditionsAfter([]);
  add((value) => `user_id = ${value}`, userId);
  if (from) add((value) => `created_at >= ${value}`, from);
  if (to) add((value) => `created_at < ${value}`, to);
  return made;
}

function filters({ app_id, action_type, status, search }: ListActionsQuery, before: readonly unknown[]): Conditions {
  const { add, made } = conditionsAfter(before);
  if (app_id) add((value) => `app_id = ${value}`, app_id);
  if (action_type) add((value) => `action_type = ${value}`, action_type);
  if (status) add((value) => `status = ${value}`, status);
  if (search) add((value) => `strpos(folded(concat_ws(' ', app_id, function, error)), folded(${value})) > 0`, search);
  return made;
}

function conditionsAfter(before: readonly unknown[]): {
  add: (condition: (parameter: string) => string, value: unknown) => void;
  made: Conditions;
} {
  const made: Conditions = { conditions: '', values: [...before] };
  const add = (condition: (parameter: string) => string, value: unknown) => {
    made.values.push(value);
    made.conditions += `AND ${condition(`$${made.values.length}`)} `;
  };
  return { add, made };
}

const toAction = (row: ActionRow): ActionResponse => ({
  id: row.id,
  trace_id: row.trace_id,
  user_id: row.user_id,
  tenant_id: row.tenant_id,
  app_id: row.app_id,
  function: row.function,
  tool_name: row.function,
  action_type: row.action_type,
  status: row.status,
  error_code: row.error_code,
  error: row.error,
  duration_ms: row.duration_ms === null ? null : Number(row.duration_ms),
  tokens_used: Number(row.tokens_used),
  action_price: Number(row.action_price),
  extension_price: Number(row.extension_price),
  platform_fee: Number(row.platform_fee),
  created_at: row.created_at,
  completed_at: row.completed_at,
});
