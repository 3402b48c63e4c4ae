import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AccessErrors, commonScopes, parseApiKey } from '@platform/guards';
import { BroadcastService } from '@platform/messaging';
import { columns, queryPrepared, type RowOf } from '@platform/persistence';
import { equalDigests, LOGGER, sha256 } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { ACCOUNT_JOINS } from '../sessions/signed-in-account.js';
import { CredentialCache } from '../sessions/credential.cache.js';
import {
  ACCOUNT_IS_USABLE,
  PROFILE_COLUMNS,
  TENANT_CHANGED,
  USER_CHANGED,
  toAuthenticatedUser,
  type AuthenticatedUser,
  type ProfileRow,
} from '../sessions/signed-in-users.service.js';
import { ApiKey } from './api-key.entity.js';

/** Notification of a deleted key, with its lookup part. */
export const API_KEY_DELETED = 'api-key-deleted';

const KEY_COLUMNS = columns(
  ApiKey,
  ['id AS key_id', 'scopes AS key_scopes', 'secretHash', 'expiresAt AS key_expires_at'],
  'k',
);

interface ApiKeyUser {
  user: AuthenticatedUser;
  secretHash: Buffer;
  expiresAt: Date | null;
}

/**
 * Authenticates API keys. The caller is the owner of the key, with those scopes of the key that the
 * owner still holds.
 */
@Injectable()
export class ApiKeyAuthenticationService implements OnApplicationShutdown {
  private readonly cache: CredentialCache<ApiKeyUser>;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) logger: Logger,
    broadcast: BroadcastService,
  ) {
    this.cache = new CredentialCache(
      { load: (lookup) => this.load(lookup), touch: (lookups) => this.touch(lookups) },
      logger,
    );
    broadcast.subscribe(API_KEY_DELETED, (lookup) => this.cache.evict(lookup));
    broadcast.subscribe(USER_CHANGED, (changed) => this.cache.evictWhere(({ user }) => user.userId === changed));
    broadcast.subscribe(TENANT_CHANGED, (changed) => this.cache.evictWhere(({ user }) => user.tenantId === changed));
  }

  /**
   * Returns the owner of an API key, with those scopes of the key that the owner still holds. The
   * data is at most 5 s old. The time of the use is stored a moment later, at most once a minute.
   *
   * @throws AppError 401 `invalid_api_key` if the key is malformed, unknown, deleted or expired, if
   * its owner can no longer sign in, or if the tenant does not allow API keys.
   */
  async authenticateKey(key: string): Promise<AuthenticatedUser> {
    const parts = parseApiKey(key);
    const found = parts && (await this.cache.findHolder(parts.lookup));
    if (!found || !equalDigests(found.secretHash, sha256(parts.secret))) throw AccessErrors.invalidApiKey();
    if (found.expiresAt && found.expiresAt.getTime() <= Date.now()) throw AccessErrors.invalidApiKey();
    this.cache.noteUse(parts.lookup);
    return found.user;
  }

  onApplicationShutdown(): Promise<void> {
    return this.cache.close();
  }

  private async load(lookup: string): Promise<ApiKeyUser | null> {
    const [row] = await queryPrepared<ProfileRow & RowOf<typeof KEY_COLUMNS>>(
      this.dataSource,
      `SELECT ${PROFILE_COLUMNS}, ${KEY_COLUMNS}
       FROM api_keys k JOIN users u ON u.id = k.user_id ${ACCOUNT_JOINS}
       WHERE k.lookup = $1 AND k.hash_version = 1 AND ${ACCOUNT_IS_USABLE} AND 'api_key' = ANY (t.allowed_auth_methods)`,
      [lookup],
    );
    if (!row) return null;
    const owner = toAuthenticatedUser(row);
    return {
      user: {
        ...owner,
        apiKeyId: row.key_id,
        keyScopes: row.key_scopes,
        scopes: commonScopes(row.key_scopes, owner.scopes),
      },
      secretHash: row.secret_hash,
      expiresAt: row.key_expires_at,
    };
  }

  private async touch(lookups: string[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE api_keys SET last_used_at = now()
       WHERE lookup = ANY ($1) AND (last_used_at IS NULL OR last_used_at < now() - interval '60 seconds')`,
      [lookups],
    );
  }
}
