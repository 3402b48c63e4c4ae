import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { ScopeDenial } from './denied-scope.entity.js';

export const permissionsSchema: GatewayFeatureSchema = { entities: [ScopeDenial] };
