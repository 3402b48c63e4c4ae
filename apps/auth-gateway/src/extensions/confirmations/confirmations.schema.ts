import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { Confirmation } from './confirmation.entity.js';

export const confirmationsSchema: GatewaySchema = { entities: [Confirmation] };
