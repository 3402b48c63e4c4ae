import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { Notification } from './notification.entity.js';

export const notificationsSchema: GatewayFeatureSchema = { entities: [Notification] };
