import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { ApiKey } from './api-key.entity.js';

export const apiKeysSchema: GatewaySchema = { entities: [ApiKey] };
