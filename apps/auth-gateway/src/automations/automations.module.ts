import { Module } from '@nestjs/common';
import { EventsModule } from '../extensions/events/events.module.js';
import { CallsModule } from '../extensions/calls/calls.module.js';
import { RunGrantsModule } from '../extensions/run-grants/run-grants.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { NotificationsModule } from '../extensions/notifications/notifications.module.js';
import { AutomationsController } from './automations.controller.js';
import { AutomationsExtension } from './automations.extension.js';
import { Automations } from './automations.service.js';
import { EventCatalogue } from './definitions/event-catalogue.js';
import { RuleDefinitions } from './definitions/rule-definitions.js';
import { FireRuns } from './firing/fire-runs.js';
import { RuleFiring } from './firing/rule-firing.js';

/** What users have the platform do by itself. */
@Module({
  imports: [CallsModule, EventsModule, IdentityModule, NotificationsModule, RunGrantsModule],
  controllers: [AutomationsController],
  providers: [Automations, AutomationsExtension, EventCatalogue, FireRuns, RuleDefinitions, RuleFiring],
})
export class AutomationsModule {}
