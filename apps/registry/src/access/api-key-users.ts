import { Injectable } from '@nestjs/common';
import { ApiError, ConnectionError } from '@platform/client';
import type { ApiKeyOwnerResponse } from '@platform/contracts';
import {
  AccessErrors,
  API_KEY_PREFIX,
  Credentials,
  MemoryRateLimiter,
  readApiKey,
  type RateLimiter,
  type RateLimitPolicy,
  type UserCaller,
} from '@platform/guards';
import { AppError, currentContext, Errors, maxEntries, sha256, clientBucket } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import type { GatewayQuestions } from './gateway-questions.js';

/** What changed at the gateway counts here within this time. */
const MAX_AGE_MS = 5_000;
const CACHED_KEYS = 10_000;
/** How long a key that was accepted is asked for again without being counted. */
const KNOWN_MS = 15 * 60_000;
/** What is public of an API key: enough to recognise it in a log. */
const KEY_PREFIX_LENGTH = 20;

/** Questions about keys that were not accepted lately, per client address. One that is accepted gives its question back. */
export const UNKNOWN_KEYS: RateLimitPolicy = { name: 'unknown-key-ip', quota: 30, windowSeconds: 60 };

const NO_KEY = `This is no API key (${API_KEY_PREFIX}…). The Registry takes API keys and service tokens, and no access tokens.`;

/**
 * Who calls with an API key: the gateway knows. It is asked only about what can be a key, once in 5 s for each, and by one client address
 * only about so many that are unknown here. Only hashes of keys stay in memory.
 */
@Injectable()
export class ApiKeyUsers extends Credentials {
  private readonly users = new LRUCache<string, UserCaller, string>({
    ...maxEntries(CACHED_KEYS),
    ttl: MAX_AGE_MS,
    // Requests that come while one is under way wait for its answer.
    fetchMethod: (hash, _stale, { context: key }) => this.ask(hash, key),
    // A flood of other keys takes nobody's answer away.
    ignoreFetchAbort: true,
  });
  private readonly refused = new LRUCache<string, true>({ ...maxEntries(CACHED_KEYS), ttl: MAX_AGE_MS });
  private readonly known = new LRUCache<string, true>({ ...maxEntries(CACHED_KEYS), ttl: KNOWN_MS });

  constructor(
    private readonly gateway: GatewayQuestions,
    private readonly limiter: RateLimiter = new MemoryRateLimiter(),
  ) {
    super();
  }

  /** Access tokens are not taken: what is no API key is refused. */
  bearer(token: string): Promise<UserCaller> {
    return this.apiKey(token);
  }

  /** @throws AppError 401 for what is no key or is not accepted, 429 when this address asked for too many such, 503 without the gateway. */
  async apiKey(key: string): Promise<UserCaller> {
    if (!key.startsWith(API_KEY_PREFIX)) throw AccessErrors.invalidApiKey(NO_KEY);
    if (!readApiKey(key)) throw AccessErrors.invalidApiKey();
    const hash = sha256(key).toString('base64');
    if (this.refused.has(hash)) throw AccessErrors.invalidApiKey();
    const user = await this.users.fetch(hash, { context: key });
    if (!user) throw AccessErrors.invalidApiKey();
    return user;
  }

  actingUser(): Promise<never> {
    return Promise.reject(new AppError(400, 'acting_user_not_taken', 'The registry takes no X-Acting-User.'));
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
      const { key_id, user_id, tenant_id, role, scopes, key_scopes } = await this.gateway.ask<ApiKeyOwnerResponse>('api-key-owners', {
        key,
      });
      this.known.set(hash, true);
      // A gateway of before does not tell it. What is no id of a key counts as one that is gone.
      const apiKeyId = (key_id as string | undefined) ?? key.slice(0, KEY_PREFIX_LENGTH);
      return { kind: 'user', userId: user_id, tenantId: tenant_id, apiKeyId, keyScopes: key_scopes, role, scopes };
    } catch (error) {
      // Any other refusal is of our own token, and says nothing about the key.
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
