import { Injectable } from '@nestjs/common';
import {
  parseScopes,
  type CreateKeyRequest,
  type DeleteKeyResponse,
  type KeyListItem,
  type KeyResponse,
} from '@platform/contracts';
import { AccessErrors, API_KEY_PREFIX, generateApiKey, QuotasService, type UserCaller } from '@platform/guards';
import { BroadcastService } from '@platform/messaging';
import type { Row } from '@platform/persistence';
import { newId, sha256 } from '@platform/platform';
import { DataSource } from 'typeorm';
import { lockAccount } from '../accounts/lock-account.js';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { HOUR, policy } from '../../kernel/rate-limits.js';
import type { SignedInUser } from '../sessions/signed-in-users.service.js';
import { assertMethodAllowed } from '../accounts/can-authenticate.js';
import type { Tenant } from '../accounts/tenant.entity.js';
import { ApiKey } from './api-key.entity.js';
import { API_KEY_DELETED } from './api-key-authentication.service.js';
import { ApiKeyErrors } from './api-keys.errors.js';
import { assertKeyScopesAllowed } from './key-scopes.js';

const MAX_KEYS_PER_USER = 50;
/** Keys that a user can create per hour. */
const KEYS_LIMIT = policy('keys', 100, HOUR);

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly broadcast: BroadcastService,
    private readonly quotas: QuotasService,
    accountDeletion: AccountDeletionService,
  ) {
    accountDeletion.addAccessStep(rowsOfUser('api_keys'));
  }

  /**
   * Creates an API key and returns it; it cannot be read again. The scope `*` means all scopes that
   * the owner holds when the key is used.
   *
   * @throws ValidationFailed for scopes that do not exist or that the owner does not hold.
   * @throws AppError 401 `invalid_token` if the session has just ended; 403
   * `auth_method_not_allowed` if the tenant does not allow API keys; 409 `api_key.too_many` if the
   * user has 50 keys; 429 above 100 requests of the user for a new key in an hour, refused ones
   * too.
   */
  async createKey(owner: SignedInUser, { name, scopes, expires_at }: CreateKeyRequest): Promise<KeyResponse> {
    const { userId, tenantId, sessionId } = owner;
    await this.quotas.consume(KEYS_LIMIT, userId);
    await assertKeyScopesAllowed(this.dataSource.manager, owner, parseScopes(scopes));
    const { key, lookup, secret } = generateApiKey();
    const row = await this.dataSource.transaction(async (em) => {
      // The lock runs the requests of a user one after the other, so that concurrent requests
      // cannot exceed the maximum.
      const [tenant] = await em.query<[Row<Tenant, 'allowedAuthMethods'>]>(
        'SELECT t.allowed_auth_methods FROM users u JOIN tenants t ON t.id = u.tenant_id WHERE u.id = $1 FOR NO KEY UPDATE OF u',
        [userId],
      );
      // Checked after the lock: the session can have ended while this request waited, for example
      // by a password reset.
      const [now] = await em.query<[{ keys: number; is_signed_in: boolean }]>(
        `SELECT (SELECT count(*)::int FROM api_keys WHERE user_id = $1) AS keys,
           EXISTS (SELECT 1 FROM sessions WHERE id = $2 AND revoked_at IS NULL) AS is_signed_in`,
        [userId, sessionId],
      );
      if (!now.is_signed_in) throw AccessErrors.invalidToken();
      assertMethodAllowed(tenant, 'api_key');
      if (now.keys >= MAX_KEYS_PER_USER) throw ApiKeyErrors.tooMany(MAX_KEYS_PER_USER);
      const created = em.create(ApiKey, {
        id: newId('key'),
        userId,
        lookup,
        secretHash: sha256(secret),
        name,
        scopes: parseScopes(scopes),
        expiresAt: expires_at ?? null,
      });
      const after = { name, scopes: created.scopes, expires_at: created.expiresAt };
      await recordAudit(em, {
        action: 'api_key.created',
        target: { type: 'api_key', id: created.id },
        tenantId,
        after,
      });
      await publishEvent(em, { type: 'api_key.created', tenantId, userId, data: { key_id: created.id, name } });
      return em.save(created);
    });
    const { last_used_at: _, ...item } = toListItem(row);
    return { ...item, key };
  }

  /** Lists the API keys of the user, newest first; at most 50. The secret part is not included. */
  async listKeys({ userId }: UserCaller): Promise<KeyListItem[]> {
    const rows = await this.dataSource.manager.find(ApiKey, {
      where: { userId },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return rows.map(toListItem);
  }

  /**
   * Deletes an API key of the user. Every process refuses it at once.
   *
   * @throws AppError 404 `api_key.not_found` if the key does not exist or belongs to another user.
   */
  async deleteKey({ userId, tenantId }: UserCaller, id: string): Promise<DeleteKeyResponse> {
    const lookup = await this.dataSource.transaction(async (em) => {
      await lockAccount(em, userId);
      const [deleted] = await em.query<[Row<ApiKey, 'lookup'>[], number]>(
        'DELETE FROM api_keys WHERE id = $1 AND user_id = $2 RETURNING lookup',
        [id, userId],
      );
      if (!deleted[0]) throw ApiKeyErrors.notFound();
      await recordAudit(em, { action: 'api_key.deleted', target: { type: 'api_key', id }, tenantId });
      await publishEvent(em, { type: 'api_key.deleted', tenantId, userId, data: { key_id: id } });
      return deleted[0].lookup;
    });
    await this.broadcast.publish(API_KEY_DELETED, [lookup]);
    return { status: 'deleted', id };
  }
}

const toListItem = ({ id, lookup, name, scopes, lastUsedAt, createdAt, expiresAt }: ApiKey): KeyListItem => ({
  id,
  key_prefix: `${API_KEY_PREFIX}${lookup}`,
  name,
  scopes: scopes.join(','),
  last_used_at: lastUsedAt,
  created_at: createdAt,
  expires_at: expiresAt,
});
