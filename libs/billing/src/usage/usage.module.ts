import { Module } from '@nestjs/common';
import { UsageCounts } from './usage-counts.js';

/** What users use of their plans. */
@Module({ providers: [UsageCounts], exports: [UsageCounts] })
export class UsageModule {}
