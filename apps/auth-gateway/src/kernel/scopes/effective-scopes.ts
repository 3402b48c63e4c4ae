import { hasScope } from '@platform/guards';
import { standsForApp } from './platform-scopes.js';

export interface ScopeGrants {
  /** What the role gives. */
  role: readonly string[];
  /** What was granted to the user. */
  own: readonly string[];
  denied: readonly string[];
  /** The scopes by name that a wildcard is cut to when a part of it is denied. */
  known: readonly string[];
}

export interface ResolvedScope {
  scope: string;
  source: 'role' | 'user';
  /** The grant that it is a part of; the scope itself when nothing of it is denied. */
  grantedAs: string;
}

/**
 * Who holds what: (role ∪ own) − denied. A denial always wins. A wildcard of which a part is denied becomes the known scopes that are left of
 * it, so that what is returned needs no denials beside it: whoever reads it in a token understands it. What stands for every app is not left
 * where a denial names one of them, since it would give that back.
 */
export function resolveScopes({ role, own, denied, known }: ScopeGrants): ResolvedScope[] {
  const sources = [
    ...role.map((scope) => ({ scope, source: 'role' as const })),
    ...own.map((scope) => ({ scope, source: 'user' as const })),
  ];
  const standsForDenied = (scope: string): boolean => denied.some((denial) => standsForApp(scope, denial));
  return sources.flatMap(({ scope: grant, source }) => {
    if (hasScope(denied, grant)) return [];
    const isCut = standsForDenied(grant) || denied.some((denial) => hasScope([grant], denial));
    if (!isCut) return [{ scope: grant, source, grantedAs: grant }];
    return known
      .filter((scope) => hasScope([grant], scope) && !hasScope(denied, scope) && !standsForDenied(scope))
      .map((scope) => ({ scope, source, grantedAs: grant }));
  });
}
