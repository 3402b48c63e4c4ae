import type { GatewayFeatureSchema } from '../../../kernel/gateway-feature-schema.js';
import { sealedTenantDatabases } from './tenant-databases.service.js';

export const tenantDatabasesSchema: GatewayFeatureSchema = { sealed: [sealedTenantDatabases] };
