import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { ApiKey } from './api-key.entity.js';

export const apiKeysSchema: GatewayFeatureSchema = { entities: [ApiKey] };
