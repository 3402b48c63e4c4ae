import type { GatewaySchema } from '../../../kernel/gateway-feature-schema.js';
import { sealedTenantDatabases } from './tenant-databases.js';

export const tenantDatabasesSchema: GatewaySchema = { sealed: [sealedTenantDatabases] };
