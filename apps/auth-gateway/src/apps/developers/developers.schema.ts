import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { Developer } from './developer.entity.js';

export const developersSchema: GatewaySchema = { entities: [Developer] };
