import { Module } from '@nestjs/common';
import { SpendingReport } from './spending-report.service.js';
import { SpendingSettings } from './spending-settings.service.js';

@Module({ providers: [SpendingReport, SpendingSettings], exports: [SpendingReport, SpendingSettings] })
export class SpendingModule {}
