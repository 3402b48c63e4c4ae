import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { Agency } from './agency.entity.js';
import { Role } from './role.entity.js';
import { Tenant } from './tenant.entity.js';
import { User } from './user.entity.js';

export const accountsSchema: GatewayFeatureSchema = { entities: [Agency, Role, Tenant, User] };
