import { Module } from '@nestjs/common';
import { LedgerModule, PlansModule, UsageModule } from '@platform/billing';
import { AppAnalyticsModule } from '../../apps/analytics/app-analytics.module.js';
import { ActionSumsModule } from '../../apps/analytics/sums/action-sums.module.js';
import { ActionCharges } from './action-charges.service.js';
import { ActionLog } from './action-log.service.js';
import { ActionStats } from './action-stats.service.js';
import { ActionsController } from './actions.controller.js';
import { AppOutcomes } from './app-outcomes.repository.js';
import { Actions } from './actions.service.js';

@Module({
  imports: [ActionSumsModule, AppAnalyticsModule, LedgerModule, PlansModule, UsageModule],
  controllers: [ActionsController],
  providers: [ActionCharges, ActionLog, ActionStats, Actions, AppOutcomes],
  exports: [ActionLog, AppOutcomes],
})
export class ActionsModule {}
