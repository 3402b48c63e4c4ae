import { Module } from '@nestjs/common';
import { LedgerModule, PlansModule } from '@platform/billing';
import { ProvisioningModule } from '../../identity/provisioning/provisioning.module.js';
import { AdminWalletsController } from './admin-wallets.controller.js';
import { LedgerSweepWorker } from './ledger-sweep.worker.js';
import { WalletAdjustmentsService } from './wallet-adjustments.service.js';
import { WalletController } from './wallet.controller.js';
import { WalletEventsWorker } from './wallet-events.worker.js';
import { UserWalletsService } from './user-wallets.service.js';
import { WalletLifecycleWorker } from './wallet-lifecycle.worker.js';

@Module({
  imports: [LedgerModule, PlansModule, ProvisioningModule],
  controllers: [AdminWalletsController, WalletController],
  providers: [
    LedgerSweepWorker,
    WalletAdjustmentsService,
    WalletEventsWorker,
    UserWalletsService,
    WalletLifecycleWorker,
  ],
  exports: [UserWalletsService],
})
export class WalletModule {}
