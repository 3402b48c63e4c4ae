import type { GatewaySchema } from '../../kernel/gateway-schema.js';
import { Confirmation } from './confirmation.entity.js';

export const confirmationsSchema: GatewaySchema = { entities: [Confirmation] };
