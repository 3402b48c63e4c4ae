import type { GatewayFeatureSchema } from '../kernel/gateway-feature-schema.js';
import { permissionsSchema } from './permissions/permissions.schema.js';
import { rolesSchema } from './roles/roles.schema.js';
import { scopesSchema } from './scopes/scopes.schema.js';
import { tenantDatabasesSchema } from './tenants/databases/tenant-databases.schema.js';

/** What the features of the group have in the database. */
export const organisationSchema: readonly GatewayFeatureSchema[] = [permissionsSchema, rolesSchema, scopesSchema, tenantDatabasesSchema];
