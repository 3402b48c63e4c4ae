import { Module } from '@nestjs/common';
import { SpendingReport } from './spending-report.js';
import { SpendingSettings } from './spending-settings.js';

/** What users spend, and what may be spent without them. */
@Module({ providers: [SpendingReport, SpendingSettings], exports: [SpendingReport, SpendingSettings] })
export class SpendingModule {}
