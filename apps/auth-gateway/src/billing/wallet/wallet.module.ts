import { Module } from '@nestjs/common';
import { LedgerModule, PlansModule } from '@platform/billing';
import { ProvisioningModule } from '../../identity/provisioning/provisioning.module.js';
import { AdminWalletsController } from './admin-wallets.controller.js';
import { LedgerSweepTask } from './ledger-sweep.worker.js';
import { WalletAdjustments } from './wallet-adjustments.service.js';
import { WalletController } from './wallet.controller.js';
import { WalletEvents } from './wallet-events.worker.js';
import { WalletReads } from './user-wallets.service.js';
import { WalletsOfUsers } from './wallet-lifecycle.worker.js';

@Module({
  imports: [LedgerModule, PlansModule, ProvisioningModule],
  controllers: [AdminWalletsController, WalletController],
  providers: [LedgerSweepTask, WalletAdjustments, WalletEvents, WalletReads, WalletsOfUsers],
  exports: [WalletReads],
})
export class WalletModule {}
