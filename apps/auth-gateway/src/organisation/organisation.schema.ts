import type { GatewayFeatureSchema } from '../kernel/gateway-feature-schema.js';
import { permissionsSchema } from './permissions/permissions.schema.js';
import { scopesSchema } from './scopes/scopes.schema.js';
import { tenantDatabasesSchema } from './tenants/databases/tenant-databases.schema.js';

/** Database schemas of the features of this group. */
export const organisationSchema: readonly GatewayFeatureSchema[] = [
  permissionsSchema,
  scopesSchema,
  tenantDatabasesSchema,
];
