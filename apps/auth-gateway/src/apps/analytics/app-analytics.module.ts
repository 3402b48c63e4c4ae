import { EarningsModule } from '@platform/billing';
import { Module } from '@nestjs/common';
import { AppAnalyticsController } from './app-analytics.controller.js';
import { AppAnalyticsService } from './app-analytics.service.js';
import { AppUsageService } from './app-usage.service.js';
import { ActionSumsModule } from './sums/action-sums.module.js';

/** Usage of apps. */
@Module({
  imports: [ActionSumsModule, EarningsModule],
  controllers: [AppAnalyticsController],
  providers: [AppAnalyticsService, AppUsageService],
  exports: [AppUsageService],
})
export class AppAnalyticsModule {}
