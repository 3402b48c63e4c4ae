import type { GatewaySchema } from '../../kernel/gateway-schema.js';
import { Notification } from './notification.entity.js';

export const notificationsSchema: GatewaySchema = { entities: [Notification] };
