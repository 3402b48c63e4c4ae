import { EarningsModule, LedgerModule } from '@platform/billing';
import { Module } from '@nestjs/common';
import { AdminDevelopersController } from './admin-developers.controller.js';
import { DeveloperTiersService } from './developer-tiers.service.js';
import { DevelopersController } from './developers.controller.js';
import { DevelopersService } from './developers.service.js';
import { TierFeesService } from './tier-fees.service.js';
import { TierRenewalsWorker } from './tier-renewals.worker.js';

/** Developers and their tiers. */
@Module({
  imports: [EarningsModule, LedgerModule],
  controllers: [AdminDevelopersController, DevelopersController],
  providers: [DeveloperTiersService, DevelopersService, TierFeesService, TierRenewalsWorker],
  exports: [DevelopersService],
})
export class DevelopersModule {}
