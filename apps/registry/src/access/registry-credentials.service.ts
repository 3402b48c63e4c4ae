import { Injectable } from '@nestjs/common';
import { ApiError, ConnectionError } from '@platform/client';
import type { ApiKeyOwnerResponse } from '@platform/contracts';
import {
  AccessErrors,
  API_KEY_PREFIX,
  Credentials,
  MemoryRateLimiter,
  parseApiKey,
  type RateLimiter,
  type RateLimitPolicy,
  type UserCaller,
} from '@platform/guards';
import { AppError, currentContext, Errors, maxEntries, sha256, clientBucket } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import type { RegistryGatewayClient } from './registry-gateway.client.js';

/**
 * Longest age of a cached answer of the gateway: a deleted key or a changed role takes effect here
 * within this time.
 */
const MAX_AGE_MS = 5_000;
const CACHED_KEYS = 10_000;
/**
 * Time during which asking the gateway again about an accepted key does not count against the rate
 * limit.
 */
const KNOWN_MS = 15 * 60_000;

/**
 * Rate limit, for each client address, of questions to the gateway about keys that it has not
 * accepted recently. An accepted key does not count.
 */
export const UNKNOWN_KEYS: RateLimitPolicy = { name: 'unknown-key-ip', quota: 30, windowSeconds: 60 };

const NO_KEY = `This is not an API key (${API_KEY_PREFIX}…). The registry accepts API keys and service tokens, but no access tokens.`;

/**
 * Identifies the user of an API key by asking the gateway. It sends only well-formed keys, and uses
 * each answer about a key for 5 s. `UNKNOWN_KEYS` limits the questions for each client address.
 * Only hashes of keys stay in memory.
 */
@Injectable()
export class RegistryCredentialsService extends Credentials {
  private readonly users = new LRUCache<string, UserCaller, string>({
    ...maxEntries(CACHED_KEYS),
    ttl: MAX_AGE_MS,
    // Concurrent requests with the same key share one question to the gateway.
    fetchMethod: (hash, _stale, { context: key }) => this.ask(hash, key),
    // A question still gets its answer if a flood of other keys evicts its entry meanwhile.
    ignoreFetchAbort: true,
  });
  private readonly refused = new LRUCache<string, true>({ ...maxEntries(CACHED_KEYS), ttl: MAX_AGE_MS });
  private readonly known = new LRUCache<string, true>({ ...maxEntries(CACHED_KEYS), ttl: KNOWN_MS });

  constructor(
    private readonly gateway: RegistryGatewayClient,
    private readonly limiter: RateLimiter = new MemoryRateLimiter(),
  ) {
    super();
  }

  /**
   * Like `authenticateApiKey`, for an API key in the `Authorization` header. An access token is
   * refused with 401 `invalid_api_key`.
   */
  authenticateBearer(token: string): Promise<UserCaller> {
    return this.authenticateApiKey(token);
  }

  /**
   * Returns the user of an API key.
   *
   * @throws AppError 401 `invalid_api_key` if the key is malformed or not accepted; 429
   * `rate_limited` if this client address has sent 30 unknown keys in a minute; 503 `unavailable`
   * if the gateway does not answer or refuses the registry's service token.
   */
  async authenticateApiKey(key: string): Promise<UserCaller> {
    if (!key.startsWith(API_KEY_PREFIX)) throw AccessErrors.invalidApiKey(NO_KEY);
    if (!parseApiKey(key)) throw AccessErrors.invalidApiKey();
    const hash = sha256(key).toString('base64');
    if (this.refused.has(hash)) throw AccessErrors.invalidApiKey();
    const user = await this.users.fetch(hash, { context: key });
    if (!user) throw AccessErrors.invalidApiKey();
    return user;
  }

  authenticateActingUser(): Promise<never> {
    return Promise.reject(
      new AppError(400, 'acting_user_not_taken', 'The registry does not accept the X-Acting-User header. Remove it.'),
    );
  }

  private async ask(hash: string, key: string): Promise<UserCaller> {
    if (this.known.has(hash)) return this.askGateway(hash, key);
    const bucket = clientBucket(currentContext()?.ipAddress);
    const { allowed, retryAfterSeconds } = await this.limiter.consume(UNKNOWN_KEYS, bucket);
    if (!allowed) throw Errors.rateLimited(retryAfterSeconds);
    const user = await this.askGateway(hash, key);
    await this.limiter.refund(UNKNOWN_KEYS, bucket);
    return user;
  }

  private async askGateway(hash: string, key: string): Promise<UserCaller> {
    try {
      const { key_id, user_id, tenant_id, role, scopes, key_scopes } =
        await this.gateway.sendRequest<ApiKeyOwnerResponse>('api-key-owners', {
          key,
        });
      this.known.set(hash, true);
      return {
        kind: 'user',
        userId: user_id,
        tenantId: tenant_id,
        apiKeyId: key_id,
        keyScopes: key_scopes,
        role,
        scopes,
      };
    } catch (error) {
      // Any other refusal concerns the registry's own service token, not this key.
      if (error instanceof ApiError && error.code === 'invalid_api_key') {
        this.known.delete(hash);
        this.refused.set(hash, true);
        throw AccessErrors.invalidApiKey();
      }
      if (error instanceof ApiError || error instanceof ConnectionError) throw Errors.unavailable(error);
      throw error;
    }
  }
}
