import { Module } from '@nestjs/common';
import { BillingClock } from './billing-clock.js';

/** The time of billing in production. */
@Module({ providers: [BillingClock] })
export class BillingClockModule {}
