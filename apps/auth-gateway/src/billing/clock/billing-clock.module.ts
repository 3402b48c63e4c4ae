import { Module } from '@nestjs/common';
import { FixedBillingClock } from './fixed-billing-clock.service.js';

@Module({ providers: [FixedBillingClock] })
export class BillingClockModule {}
