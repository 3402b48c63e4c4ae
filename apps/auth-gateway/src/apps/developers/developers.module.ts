import { EarningsModule, LedgerModule } from '@platform/billing';
import { Module } from '@nestjs/common';
import { AdminDevelopersController } from './admin-developers.controller.js';
import { DeveloperTiers } from './developer-tiers.service.js';
import { DevelopersController } from './developers.controller.js';
import { Developers } from './developers.service.js';
import { TierFees } from './tier-fees.service.js';
import { TierRenewals } from './tier-renewals.worker.js';

/** Developers and their tiers. */
@Module({
  imports: [EarningsModule, LedgerModule],
  controllers: [AdminDevelopersController, DevelopersController],
  providers: [DeveloperTiers, Developers, TierFees, TierRenewals],
  exports: [Developers],
})
export class DevelopersModule {}
