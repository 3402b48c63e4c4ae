import { Module } from '@nestjs/common';
import { FixedBillingClockService } from './fixed-billing-clock.service.js';

@Module({ providers: [FixedBillingClockService] })
export class BillingClockModule {}
