import { Module } from '@nestjs/common';
import { CallsModule } from '../../extensions/calls/calls.module.js';
import { EventsModule } from '../../extensions/events/events.module.js';
import { NotificationsModule } from '../../extensions/notifications/notifications.module.js';
import { RunGrantsModule } from '../../extensions/run-grants/run-grants.module.js';
import { CredentialsModule } from '../../identity/credentials/credentials.module.js';
import { FireRuns } from './rule-actions.worker.js';
import { RuleFiring } from './rule-firing.service.js';

/** Firing of rules. */
@Module({
  imports: [CallsModule, CredentialsModule, EventsModule, NotificationsModule, RunGrantsModule],
  providers: [FireRuns, RuleFiring],
})
export class FiringModule {}
