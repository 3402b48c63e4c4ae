import { EarningsModule } from '@platform/billing';
import { Module } from '@nestjs/common';
import { AppAnalyticsController } from './app-analytics.controller.js';
import { AppAnalytics } from './app-analytics.service.js';
import { AppUsage } from './app-usage.js';

/** How much apps are used. */
@Module({ imports: [EarningsModule], controllers: [AppAnalyticsController], providers: [AppAnalytics, AppUsage], exports: [AppUsage] })
export class AppAnalyticsModule {}
