import { Injectable } from '@nestjs/common';
import type {
  ActionType,
  ActiveConfirmationsResponse,
  ConfirmationResponse,
  ConfirmationStatus,
} from '@platform/contracts';
import { commonScopes, narrowingOf, QuotasService, type UserCaller } from '@platform/guards';
import { columns, RetentionService, TenantData, type RowOf } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { lockAccount } from '../../identity/accounts/lock-account.js';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { UserErrors } from '../../identity/accounts/users.errors.js';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';
import { ApiKey } from '../../identity/api-keys/api-key.entity.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { DAY, policy } from '../../kernel/rate-limits.js';
import { Confirmation } from './confirmation.entity.js';
import { ConfirmationErrors } from './confirmations.errors.js';

export interface PendingCall {
  appId: string;
  function: string;
  actionType: ActionType;
  /** Credits that the call costs now. */
  price: number;
  params: Record<string, unknown>;
  summary: string;
}

/**
 * Limit per user. A confirmation counts as 1, plus 1 for each 4 KiB of its params. Its entry in the
 * audit log is never deleted.
 */
export const CONFIRMATIONS_LIMIT = policy('confirmations', 2_000, DAY);
const BYTES_PER_CONFIRMATION = 4_096;

const TIME_TO_ANSWER = '5 minutes';
const MOST_PENDING = 50;

const STORED = columns(Confirmation, [
  'id',
  'appId',
  'function',
  'actionType',
  'price',
  'params',
  'summary',
  'createdAt',
  'expiresAt',
]);
const COLUMNS = `${STORED}, CASE WHEN status = 'pending' AND expires_at <= now() THEN 'expired' ELSE status END AS status`;
type ConfirmationRow = RowOf<typeof STORED> & { status: ConfirmationStatus };

const ASKED_WITH = columns(Confirmation, ['scopes', 'apiKeyId'], 'c');
const OF_KEY = columns(ApiKey, ['scopes AS key_scopes'], 'k');
/** `key_scopes` is null if the key was deleted or has expired. */
type AskedWith = RowOf<typeof ASKED_WITH> & { key_scopes: RowOf<typeof OF_KEY>['key_scopes'] | null };

/**
 * Calls that wait for the user's confirmation. Each is answered once, and the call is exactly the
 * requested one.
 */
@Injectable()
export class ConfirmationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly quotas: QuotasService,
    retention: RetentionService,
    accountDeletion: AccountDeletionService,
  ) {
    retention.registerExpiredRows({
      table: 'confirmations',
      key: 'id',
      where: "expires_at < now() - interval '1 day'",
    });
    accountDeletion.addDataStep(rowsOfUser('confirmations'));
  }

  /**
   * Stores a call that waits for the user's confirmation for 5 minutes, and tells the user by an
   * event. Returns the confirmation.
   *
   * @throws AppError 429 `confirmation.too_many` if 50 confirmations wait already, `rate_limited`
   * above `CONFIRMATIONS_LIMIT`; 404 `user.not_found` if the user was deleted meanwhile.
   */
  async createConfirmation(user: UserCaller, call: PendingCall): Promise<ConfirmationResponse> {
    await this.quotas.consume(
      CONFIRMATIONS_LIMIT,
      user.userId,
      1 + Math.floor(Buffer.byteLength(JSON.stringify(call.params)) / BYTES_PER_CONFIRMATION),
    );
    const row = await this.dataSource.transaction((em) => this.insert(em, user, call));
    if (!row) throw ConfirmationErrors.tooMany(await this.secondsUntilExpiry(user));
    return toConfirmation(row);
  }

  private async insert(em: EntityManager, user: UserCaller, call: PendingCall): Promise<ConfirmationRow | undefined> {
    const [row] = await new TenantData(em, user.tenantId).query<ConfirmationRow>(
      `INSERT INTO confirmations (id, user_id, tenant_id, app_id, function, action_type, price, params, summary, api_key_id, scopes, expires_at)
       SELECT $1, id, $tenant, $3, $4, $5, $6::int, $7::jsonb, $8, $9::text, $10::text[], now() + interval '${TIME_TO_ANSWER}'
       FROM users WHERE id = $2 AND erased_at IS NULL
         AND (SELECT count(*) FROM confirmations WHERE user_id = $2 AND status = 'pending' AND expires_at > now()) < ${MOST_PENDING}
       FOR KEY SHARE OF users RETURNING ${COLUMNS}`,
      [
        newId('cnf'),
        user.userId,
        call.appId,
        call.function,
        call.actionType,
        call.price,
        JSON.stringify(call.params),
        call.summary,
        user.apiKeyId ?? null,
        narrowingOf(user),
      ],
    );
    if (!row) return undefined;
    const { id, app_id, function: name, summary, expires_at } = row;
    const data = {
      confirmation_id: id,
      app_id,
      function: name,
      summary,
      expires_at: new Date(expires_at).toISOString(),
    };
    await publishEvent(em, { type: 'confirmation.created', tenantId: user.tenantId, userId: user.userId, data });
    return row;
  }

  /**
   * Returns a confirmation of the user.
   *
   * @throws AppError 404 `confirmation.not_found` if it does not exist or belongs to another user.
   */
  async getConfirmation(
    user: UserCaller,
    id: string,
    tenant: TenantData = this.tenantData(user),
  ): Promise<ConfirmationResponse> {
    const [row] = await tenant.query<ConfirmationRow>(
      `SELECT ${COLUMNS} FROM confirmations WHERE tenant_id = $tenant AND user_id = $1 AND id = $2`,
      [user.userId, id],
    );
    if (!row) throw ConfirmationErrors.notFound();
    return toConfirmation(row);
  }

  /**
   * Returns the user with the permissions for the confirmed call: those that the requester had then
   * and the user has now. A person who confirms a request of a program gives it no additional
   * permissions.
   *
   * @throws AppError 404 `confirmation.not_found` if it does not exist or belongs to another user,
   * 409 `confirmation.key_gone` if the API key of the request was deleted or has expired.
   */
  async getCaller(user: UserCaller, id: string): Promise<UserCaller> {
    const [asked] = await this.tenantData(user).query<AskedWith>(
      `SELECT ${ASKED_WITH}, ${OF_KEY}
       FROM confirmations c LEFT JOIN api_keys k ON k.id = c.api_key_id AND k.user_id = c.user_id AND (k.expires_at IS NULL OR k.expires_at > now())
       WHERE c.tenant_id = $tenant AND c.user_id = $1 AND c.id = $2`,
      [user.userId, id],
    );
    if (!asked) throw ConfirmationErrors.notFound();
    const { scopes, api_key_id: apiKeyId, key_scopes: keyScopes } = asked;
    if (apiKeyId !== null && !keyScopes) throw ConfirmationErrors.keyGone();
    if (!scopes) return user;
    const narrowed = { ...user, scopes: commonScopes(user.scopes, scopes), narrowedTo: scopes };
    return apiKeyId !== null && keyScopes ? { ...narrowed, apiKeyId, keyScopes } : narrowed;
  }

  /**
   * Returns the confirmations that wait for the user, newest first, and the newest one; null if
   * none waits.
   */
  async listActive(user: UserCaller): Promise<ActiveConfirmationsResponse> {
    const rows = await this.tenantData(user).query<ConfirmationRow>(
      `SELECT ${COLUMNS} FROM confirmations WHERE tenant_id = $tenant AND user_id = $1 AND status = 'pending' AND expires_at > now()
       ORDER BY created_at DESC, id DESC LIMIT ${MOST_PENDING}`,
      [user.userId],
    );
    const items = rows.map(toConfirmation);
    return { confirmation: items[0] ?? null, items };
  }

  /**
   * Stores the user's answer to a confirmation, with an audit entry and the event
   * `confirmation.answered`, and returns the confirmation. Exactly one answer succeeds. It does not
   * make the call: `OperationsService.confirm` does.
   *
   * @throws AppError 404 `confirmation.not_found` if it does not exist or belongs to another user,
   * 409 `confirmation.answered` if it was answered before, `confirmation.expired` if it has
   * expired.
   */
  async recordAnswer(user: UserCaller, id: string, status: 'confirmed' | 'cancelled'): Promise<ConfirmationResponse> {
    return this.dataSource.transaction(async (em) => {
      await lockAccount(em, user.userId);
      const tenant = new TenantData(em, user.tenantId);
      const [row] = await tenant.query<ConfirmationRow>(
        `UPDATE confirmations SET status = $3, answered_at = now()
         WHERE tenant_id = $tenant AND user_id = $1 AND id = $2 AND status = 'pending' AND expires_at > now() RETURNING ${COLUMNS}`,
        [user.userId, id, status],
      );
      if (!row)
        throw (await this.getConfirmation(user, id, tenant)).status === 'expired'
          ? ConfirmationErrors.expired()
          : ConfirmationErrors.answered();
      await recordAudit(em, {
        action: `confirmation.${status}`,
        target: { type: 'confirmation', id },
        tenantId: user.tenantId,
        metadata: { app_id: row.app_id, function: row.function, action_type: row.action_type },
      });
      const data = { confirmation_id: id, app_id: row.app_id, status };
      await publishEvent(em, { type: 'confirmation.answered', tenantId: user.tenantId, userId: user.userId, data });
      return toConfirmation(row);
    });
  }

  /**
   * Seconds until the first waiting confirmation expires.
   *
   * @throws AppError 404 if none waits: the user was deleted meanwhile.
   */
  private async secondsUntilExpiry(user: UserCaller): Promise<number> {
    const [next] = await this.tenantData(user).query<{ seconds: number | null }>(
      `SELECT extract(epoch FROM min(expires_at) - now())::float8 AS seconds FROM confirmations
       WHERE tenant_id = $tenant AND user_id = $1 AND status = 'pending' AND expires_at > now()`,
      [user.userId],
    );
    if (!next || next.seconds === null) throw UserErrors.notFound();
    return next.seconds;
  }

  private tenantData({ tenantId }: UserCaller): TenantData {
    return new TenantData(this.dataSource.manager, tenantId);
  }
}

const toConfirmation = ({ params, ...row }: ConfirmationRow): ConfirmationResponse => ({
  id: row.id,
  status: row.status,
  app_id: row.app_id,
  function: row.function,
  action_type: row.action_type,
  price: row.price,
  params: JSON.parse(params) as Record<string, unknown>,
  summary: row.summary,
  created_at: row.created_at,
  expires_at: row.expires_at,
});
