import { Module } from '@nestjs/common';
import { SpendingReportService } from './spending-report.service.js';
import { SpendingSettingsService } from './spending-settings.service.js';

@Module({
  providers: [SpendingReportService, SpendingSettingsService],
  exports: [SpendingReportService, SpendingSettingsService],
})
export class SpendingModule {}
