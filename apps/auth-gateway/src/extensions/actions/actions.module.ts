import { Module } from '@nestjs/common';
import { LedgerModule, PlansModule, UsageModule } from '@platform/billing';
import { AppAnalyticsModule } from '../../apps/analytics/app-analytics.module.js';
import { ActionSumsModule } from '../../apps/analytics/sums/action-sums.module.js';
import { ActionChargesService } from './action-charges.service.js';
import { ActionLogService } from './action-log.service.js';
import { ActionStatsService } from './action-stats.service.js';
import { ActionsController } from './actions.controller.js';
import { AppOutcomesRepository } from './app-outcomes.repository.js';
import { ActionsService } from './actions.service.js';

@Module({
  imports: [ActionSumsModule, AppAnalyticsModule, LedgerModule, PlansModule, UsageModule],
  controllers: [ActionsController],
  providers: [ActionChargesService, ActionLogService, ActionStatsService, ActionsService, AppOutcomesRepository],
  exports: [ActionLogService, AppOutcomesRepository],
})
export class ActionsModule {}
