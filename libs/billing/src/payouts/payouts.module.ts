import { Module } from '@nestjs/common';
import { EarningsModule } from '../earnings/earnings.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PayoutDestinationsRepository } from './payout-destinations.repository.js';
import { PayoutDecisions } from './payout-decisions.service.js';
import { Payouts } from './payouts.service.js';

@Module({
  imports: [EarningsModule, LedgerModule],
  providers: [PayoutDecisions, PayoutDestinationsRepository, Payouts],
  exports: [PayoutDecisions, PayoutDestinationsRepository, Payouts],
})
export class PayoutsModule {}
