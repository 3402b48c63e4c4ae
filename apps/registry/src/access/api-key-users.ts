import { Injectable } from '@nestjs/common';
import { ApiError, call, ConnectionError, createPlatformClient, isTransient, type PlatformClient } from '@platform/client';
import { AccessErrors, Credentials, type UserCaller } from '@platform/guards';
import { currentContext, Errors, sha256 } from '@platform/platform';
import { LRUCache } from 'lru-cache';

/** What changed at the gateway counts here within this time. */
const MAX_AGE_MS = 5_000;
const CACHED_KEYS = 10_000;
const TIMEOUT_MS = 3_000;
/** What is public of an API key: enough to recognise it in a log. */
const KEY_PREFIX_LENGTH = 20;

/** Who calls with an API key: the gateway knows. Only a hash of the key stays in memory; a key that is not accepted is not remembered. */
@Injectable()
export class ApiKeyUsers extends Credentials {
  private readonly gateway: PlatformClient;
  private readonly users = new LRUCache<string, UserCaller, string>({
    max: CACHED_KEYS,
    ttl: MAX_AGE_MS,
    // Requests that come while one is under way wait for its answer.
    fetchMethod: (_hash, _stale, { context: key }) => this.ask(key),
  });

  constructor(gatewayUrl: string) {
    super();
    this.gateway = createPlatformClient({ baseUrl: gatewayUrl, timeoutMs: TIMEOUT_MS });
  }

  /** Access tokens are not taken: what the gateway does not know as an API key is refused. */
  bearer(token: string): Promise<UserCaller> {
    return this.apiKey(token);
  }

  async apiKey(key: string): Promise<UserCaller> {
    const user = await this.users.fetch(sha256(key).toString('base64'), { context: key });
    if (!user) throw AccessErrors.invalidApiKey();
    return user;
  }

  /** Nobody acts for a user here. */
  actingUser(): Promise<never> {
    return Promise.reject(AccessErrors.malformedHeader('X-Acting-User'));
  }

  private async ask(key: string): Promise<UserCaller> {
    const requestId = currentContext()?.requestId;
    const headers = { 'x-api-key': key, ...(requestId && { 'X-Request-Id': requestId }) };
    const me = () => call(this.gateway.GET('/v1/auth/me', { headers }));
    const { platform_id, tenant_id, role, scopes } = await me()
      .catch((error: unknown) => (isTransient(error) ? me() : Promise.reject(error as Error)))
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw AccessErrors.invalidApiKey();
        if (error instanceof ApiError || error instanceof ConnectionError) throw Errors.unavailable(error);
        throw error;
      });
    return { kind: 'user', userId: platform_id, tenantId: tenant_id, apiKeyId: key.slice(0, KEY_PREFIX_LENGTH), role, scopes };
  }
}
