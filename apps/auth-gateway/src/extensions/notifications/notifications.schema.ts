import type { GatewayFeatureSchema } from '../../kernel/gateway-feature-schema.js';
import { ReadNotifications1764675000100 } from './migrations/1764675000100-read-notifications.js';
import { UnreadNotifications1764675000110 } from './migrations/1764675000110-unread-notifications.js';
import { Notification } from './notification.entity.js';

export const notificationsSchema: GatewayFeatureSchema = {
  entities: [Notification],
  migrations: [ReadNotifications1764675000100, UnreadNotifications1764675000110],
};
