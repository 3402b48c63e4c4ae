import { Module } from '@nestjs/common';
import { EarningsModule } from '../earnings/earnings.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PayoutDestinationsRepository } from './payout-destinations.repository.js';
import { PayoutDecisionsService } from './payout-decisions.service.js';
import { PayoutsService } from './payouts.service.js';

@Module({
  imports: [EarningsModule, LedgerModule],
  providers: [PayoutDecisionsService, PayoutDestinationsRepository, PayoutsService],
  exports: [PayoutDecisionsService, PayoutDestinationsRepository, PayoutsService],
})
export class PayoutsModule {}
