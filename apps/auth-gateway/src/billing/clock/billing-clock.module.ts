import { Module } from '@nestjs/common';
import { FixedBillingClock } from './billing-clock.js';

@Module({ providers: [FixedBillingClock] })
export class BillingClockModule {}
