import type { TestService } from '@platform/testing';
import type { LRUCache } from 'lru-cache';
import { ApiKeyAuthenticationService } from '../identity/api-keys/api-key-authentication.service.js';
import { SignedInUsersService } from '../identity/sessions/signed-in-users.service.js';

const HOUR_MS = 3_600_000;

/**
 * Caches credentials for an hour, so that this process learns about a change only from a
 * notification.
 */
export function cacheCredentialsForAnHour({ app }: TestService): void {
  for (const holder of [app.get(ApiKeyAuthenticationService), app.get(SignedInUsersService)]) {
    const { cache } = holder as unknown as { cache: { cache: LRUCache<string, object> } };
    cache.cache.ttl = HOUR_MS;
  }
}
