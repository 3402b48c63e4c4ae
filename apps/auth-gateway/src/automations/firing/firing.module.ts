import { Module } from '@nestjs/common';
import { CallsModule } from '../../extensions/calls/calls.module.js';
import { EventsModule } from '../../extensions/events/events.module.js';
import { NotificationsModule } from '../../extensions/notifications/notifications.module.js';
import { RunGrantsModule } from '../../extensions/run-grants/run-grants.module.js';
import { CredentialsModule } from '../../identity/credentials/credentials.module.js';
import { RuleActionsWorker } from './rule-actions.worker.js';
import { RuleFiringService } from './rule-firing.service.js';

/** Firing of rules. */
@Module({
  imports: [CallsModule, CredentialsModule, EventsModule, NotificationsModule, RunGrantsModule],
  providers: [RuleActionsWorker, RuleFiringService],
})
export class FiringModule {}
