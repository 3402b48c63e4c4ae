import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { Developer } from './developer.entity.js';

export const developersSchema: GatewayFeatureSchema = { entities: [Developer] };
