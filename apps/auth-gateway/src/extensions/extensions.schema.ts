import type { GatewayFeatureSchema } from '../kernel/gateway-feature-schema.js';
import { extensionAccessSchema } from './access/extension-access.schema.js';
import { actionsSchema } from './actions/actions.schema.js';
import { confirmationsSchema } from './confirmations/confirmations.schema.js';
import { eventsSchema } from './events/events.schema.js';
import { eventStreamSchema } from './events/stream/event-stream.schema.js';
import { webhookEndpointsSchema } from './events/webhook-endpoints/model/webhook-endpoints.schema.js';
import { hostRoutesSchema } from './host-routes/host-routes.schema.js';
import { installsSchema } from './installs/installs.schema.js';
import { notificationsSchema } from './notifications/notifications.schema.js';
import { runBillingSchema } from './run-billing/run-billing.schema.js';
import { tasksSchema } from './tasks/tasks.schema.js';
import { userExtensionsSchema } from './user-extensions/user-extensions.schema.js';

/** Entities and migrations of the features in this folder. */
export const extensionsSchema: readonly GatewayFeatureSchema[] = [
  extensionAccessSchema,
  actionsSchema,
  confirmationsSchema,
  eventsSchema,
  eventStreamSchema,
  hostRoutesSchema,
  installsSchema,
  notificationsSchema,
  runBillingSchema,
  tasksSchema,
  userExtensionsSchema,
  webhookEndpointsSchema,
];
