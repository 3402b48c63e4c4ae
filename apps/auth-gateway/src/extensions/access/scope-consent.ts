import { commonScopes, hasScope } from '@platform/guards';

/**
 * Scopes of an installation as users see them: requested, granted and still requested, and missing.
 */
export const scopeConsent = (requested: readonly string[], granted: readonly string[]) => ({
  requested_scopes: [...requested],
  granted_scopes: commonScopes(granted, requested),
  missing_scopes: requested.filter((scope) => !hasScope(granted, scope)),
});
