import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { Scope } from './scope.entity.js';

export const scopesSchema: GatewayFeatureSchema = { entities: [Scope] };
