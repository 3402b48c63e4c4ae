import { Module } from '@nestjs/common';
import { CallCounts } from './call-counts.js';
import { MeterCounts } from './meter-counts.js';

@Module({ providers: [CallCounts, MeterCounts], exports: [CallCounts, MeterCounts] })
export class UsageModule {}
