import { hasScope } from '@platform/guards';
import { coversAppScope } from './platform-scopes.js';

export interface ScopeGrants {
  /** Scopes of the role. */
  role: readonly string[];
  /** Scopes granted to the user directly. */
  own: readonly string[];
  denied: readonly string[];
  /** All existing scopes. A wildcard becomes a subset of them if a part of it is denied. */
  known: readonly string[];
}

export interface ResolvedScope {
  scope: string;
  source: 'role' | 'user';
  /** Grant that contains the scope. Equal to `scope` if no part of the grant is denied. */
  grantedAs: string;
}

/**
 * Computes the scopes of a user: (role ∪ own) − denied. A denial always wins. A wildcard with a
 * denied part becomes the known scopes that remain of it, so the result needs no list of denials. A
 * scope for all apps (`extensions:…`) is removed if a denial names one app, because it would give
 * that app back. A scope from both sources is listed twice.
 */
export function resolveScopes({ role, own, denied, known }: ScopeGrants): ResolvedScope[] {
  const sources = [
    ...role.map((scope) => ({ scope, source: 'role' as const })),
    ...own.map((scope) => ({ scope, source: 'user' as const })),
  ];
  const standsForDenied = (scope: string): boolean => denied.some((denial) => coversAppScope(scope, denial));
  return sources.flatMap(({ scope: grant, source }) => {
    if (hasScope(denied, grant)) return [];
    const isCut = standsForDenied(grant) || denied.some((denial) => hasScope([grant], denial));
    if (!isCut) return [{ scope: grant, source, grantedAs: grant }];
    return known
      .filter((scope) => hasScope([grant], scope) && !hasScope(denied, scope) && !standsForDenied(scope))
      .map((scope) => ({ scope, source, grantedAs: grant }));
  });
}
