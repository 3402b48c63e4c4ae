import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { CommissionsService } from './commissions.service.js';
import { EarningsRepository } from './earnings.repository.js';

/** Earnings of developers. */
@Module({
  imports: [LedgerModule],
  providers: [CommissionsService, EarningsRepository],
  exports: [CommissionsService, EarningsRepository],
})
export class EarningsModule {}
