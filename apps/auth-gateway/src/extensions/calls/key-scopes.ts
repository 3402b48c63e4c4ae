import { hasScope, type UserCaller } from '@platform/guards';

/**
 * Scope that an API key lacks for this call; null if it lacks none, or if there is no key. The key
 * needs `extensions:call` or the scope `:call` of the app, and `keyScope`. It is the caller's key,
 * or its call led to this one.
 *
 * @param appId app of the function; null if another rule decides which apps can be called.
 * @param keyScope scope that a function of the platform asks of API keys; null for functions of
 * apps.
 */
export function findMissingKeyScope(
  user: UserCaller | null,
  appId: string | null,
  keyScope: string | null,
): string | null {
  const keyScopes = user?.keyScopes;
  if (!keyScopes) return null;
  if (appId !== null && !hasScope(keyScopes, 'extensions:call') && !hasScope(keyScopes, `${appId}:call`))
    return `${appId}:call`;
  return keyScope === null || hasScope(keyScopes, keyScope) ? null : keyScope;
}
