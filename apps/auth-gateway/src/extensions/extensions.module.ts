import { Module } from '@nestjs/common';
import { ExtensionAccessModule } from './access/extension-access.module.js';
import { ActionsModule } from './actions/actions.module.js';
import { CallRoutesModule } from './call-routes/call-routes.module.js';
import { CallsModule } from './calls/calls.module.js';
import { ConfirmationsModule } from './confirmations/confirmations.module.js';
import { EventStreamModule } from './events/stream/event-stream.module.js';
import { EventsModule } from './events/events.module.js';
import { WebhookEndpointsModule } from './events/webhook-endpoints/webhook-endpoints.module.js';
import { HostRoutesModule } from './host-routes/host-routes.module.js';
import { UserExtensionsModule } from './user-extensions/user-extensions.module.js';
import { InstallsModule } from './installs/installs.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { RunBillingModule } from './run-billing/run-billing.module.js';
import { RunGrantsModule } from './run-grants/run-grants.module.js';
import { UserSecretsModule } from './secrets/user-secrets.module.js';
import { TasksModule } from './tasks/tasks.module.js';
import { SystemAppsModule } from './system-apps/system-apps.module.js';

/** Extensions of users: installations, calls, events, tasks, and their surroundings. */
@Module({
  imports: [
    ActionsModule,
    CallRoutesModule,
    CallsModule,
    ConfirmationsModule,
    EventsModule,
    EventStreamModule,
    ExtensionAccessModule,
    HostRoutesModule,
    UserExtensionsModule,
    InstallsModule,
    NotificationsModule,
    RunBillingModule,
    RunGrantsModule,
    SystemAppsModule,
    TasksModule,
    UserSecretsModule,
    WebhookEndpointsModule,
  ],
})
export class ExtensionsModule {}
