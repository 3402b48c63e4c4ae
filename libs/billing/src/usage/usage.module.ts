import { Module } from '@nestjs/common';
import { CallCountsService } from './call-counts.service.js';
import { MeterCountsRepository } from './meter-counts.repository.js';

@Module({ providers: [CallCountsService, MeterCountsRepository], exports: [CallCountsService, MeterCountsRepository] })
export class UsageModule {}
