import { hasScope, type UserCaller } from '@platform/guards';

/**
 * Which scope an API key lacks that calls a function, or from whose call this one follows; null where it may, and without a key.
 *
 * @param appId whose function it is; null where something else than the scope for calls says which apps may be called.
 * @param keyScope of a function of the system.
 */
export function lackedByKey(user: UserCaller | null, appId: string | null, keyScope: string | null): string | null {
  const keyScopes = user?.keyScopes;
  if (!keyScopes) return null;
  if (appId !== null && !hasScope(keyScopes, 'extensions:call') && !hasScope(keyScopes, `${appId}:call`)) return `${appId}:call`;
  return keyScope === null || hasScope(keyScopes, keyScope) ? null : keyScope;
}
