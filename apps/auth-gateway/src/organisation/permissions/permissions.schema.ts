import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { ScopeDenial } from './scope-denial.entity.js';

export const permissionsSchema: GatewayFeatureSchema = { entities: [ScopeDenial] };
