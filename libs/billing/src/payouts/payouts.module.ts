import { Module } from '@nestjs/common';
import { EarningsModule } from '../earnings/earnings.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PayoutDecisions } from './payout-decisions.js';
import { Payouts } from './payouts.js';

/** Earnings that are paid. */
@Module({ imports: [EarningsModule, LedgerModule], providers: [PayoutDecisions, Payouts], exports: [PayoutDecisions, Payouts] })
export class PayoutsModule {}
