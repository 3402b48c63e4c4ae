import { Module } from '@nestjs/common';
import { PlansModule } from '@platform/billing';
import { UserPlansModule } from '../billing/plans/user-plans.module.js';
import { CallsModule } from '../extensions/calls/calls.module.js';
import { AutomationsController } from './automations.controller.js';
import { AutomationsExtension } from './automations.extension.js';
import { AutomationsService } from './automations.service.js';
import { RuleDefinitionsModule } from './definitions/rule-definitions.module.js';
import { FiringModule } from './firing/firing.module.js';
import { RulesModule } from './rules/rules.module.js';

/** Automations: rules of users that send messages and call functions. */
@Module({
  imports: [CallsModule, FiringModule, UserPlansModule, PlansModule, RuleDefinitionsModule, RulesModule],
  controllers: [AutomationsController],
  providers: [AutomationsService, AutomationsExtension],
})
export class AutomationsModule {}
