import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { DeniedScope } from './denied-scope.entity.js';

export const permissionsSchema: GatewayFeatureSchema = { entities: [DeniedScope] };
