import { EarningsModule } from '@platform/billing';
import { Module } from '@nestjs/common';
import { AppAnalyticsController } from './app-analytics.controller.js';
import { AppAnalytics } from './app-analytics.service.js';
import { AppUsage } from './app-usage.service.js';
import { ActionSumsModule } from './sums/action-sums.module.js';

/** Usage of apps. */
@Module({
  imports: [ActionSumsModule, EarningsModule],
  controllers: [AppAnalyticsController],
  providers: [AppAnalytics, AppUsage],
  exports: [AppUsage],
})
export class AppAnalyticsModule {}
