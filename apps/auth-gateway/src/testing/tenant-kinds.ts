import { newId } from '@platform/platform';
import { kind, numberedKind, type ContentKind } from './content-part.js';

/** Kinds of the data that `TenantContent` makes itself. Parts of features build on them. */
export const TENANT_KINDS = {
  tenant: kind('tenant', ['tenant_id', 'parent_tenant_id']),
  user: kind('usr', ['user_id', 'platform_id', 'actor_id', 'target_id']),
  email: { unknown: () => `${newId('p').slice(2)}@example.com`, fields: ['email', 'search'] },
  role: kind('rol', ['role_id']),
  roleName: kind('role', ['role']),
  scope: numberedKind('scopes', ['scope_id']),
  scopeName: {
    unknown: () => `${newId('scope')}:read`,
    fields: ['scope', 'scopes', 'denied_scopes', 'default_scopes'],
  },
  agency: kind('agency', ['agency_id']),
  app: { unknown: () => newId('app').replace('_', '-'), fields: ['app_id', 'confirm_name'] },
  deploy: kind('dep', ['deploy_id']),
} satisfies Record<string, ContentKind>;
