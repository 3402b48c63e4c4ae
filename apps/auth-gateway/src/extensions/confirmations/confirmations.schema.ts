import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { Confirmation } from './confirmation.entity.js';

export const confirmationsSchema: GatewayFeatureSchema = { entities: [Confirmation] };
