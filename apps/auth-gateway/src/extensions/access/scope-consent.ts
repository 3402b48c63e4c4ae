import { commonScopes, hasScope } from '@platform/guards';

/** As users are shown it: of what was granted what is still asked for, and what is not granted yet. */
export const scopeConsent = (requested: readonly string[], granted: readonly string[]) => ({
  requested_scopes: [...requested],
  granted_scopes: commonScopes(granted, requested),
  missing_scopes: requested.filter((scope) => !hasScope(granted, scope)),
});
