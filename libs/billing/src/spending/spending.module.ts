import { Module } from '@nestjs/common';
import { SpendingReport } from './spending-report.js';
import { SpendingSettings } from './spending-settings.js';

@Module({ providers: [SpendingReport, SpendingSettings], exports: [SpendingReport, SpendingSettings] })
export class SpendingModule {}
