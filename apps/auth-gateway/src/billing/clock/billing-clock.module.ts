import { Module } from '@nestjs/common';
import { FixedBillingClock } from './billing-clock.js';

/** The time of billing in production. */
@Module({ providers: [FixedBillingClock] })
export class BillingClockModule {}
