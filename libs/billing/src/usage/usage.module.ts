import { Module } from '@nestjs/common';
import { CallCounts } from './call-counts.service.js';
import { MeterCounts } from './meter-counts.repository.js';

@Module({ providers: [CallCounts, MeterCounts], exports: [CallCounts, MeterCounts] })
export class UsageModule {}
