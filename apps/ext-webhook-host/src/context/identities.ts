import type { RunUser } from '@platform/contracts';
import type { JsonObject } from '@platform/app-document';
import type { ContextUser } from '@platform/extension-sdk/runtime';
import { hasScope } from '@platform/guards';

export function userOf({
  user_id,
  email,
  tenant_id,
  role,
  scopes,
  agency_id,
  org_id,
  attributes,
}: RunUser): ContextUser {
  return contextUser(user_id, tenant_id, {
    email,
    role,
    scopes,
    agency_id: agency_id ?? null,
    org_id: org_id ?? null,
    attributes: (attributes ?? {}) as JsonObject,
  });
}

/** An identity of the app itself, such as `__system__`, which is not a user. */
export const identityOf = (name: string, tenantId: string): ContextUser => contextUser(name, tenantId, {});

/**
 * The user of a run that no request of the user has started. Only the scopes that the gateway
 * grants are known; the other fields are empty.
 */
export const backgroundUser = (userId: string, tenantId: string, scopes: string[]): ContextUser =>
  contextUser(userId, tenantId, { scopes });

function contextUser(platformId: string, tenantId: string, known: Partial<ContextUser>): ContextUser {
  const { role = null, scopes = [] } = known;
  return {
    email: null,
    agency_id: null,
    org_id: null,
    attributes: {},
    ...known,
    role,
    scopes,
    platform_id: platformId,
    tenant_id: tenantId,
    is_active: true,
    hasScope: (scope) => hasScope(scopes, scope),
    hasRole: (wanted) => role === wanted,
  };
}
