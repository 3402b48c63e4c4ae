import type { GatewaySchema } from '../../kernel/gateway-feature-schema.js';
import { Notification } from './notification.entity.js';

export const notificationsSchema: GatewaySchema = { entities: [Notification] };
