import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { LimitsOfSystemRoles1764600000220 } from './migrations/1764600000220-limits-of-system-roles.js';

/** Migrations of the feature. The entity is in `identity/accounts`. */
export const rolesSchema: GatewayFeatureSchema = { migrations: [LimitsOfSystemRoles1764600000220] };
