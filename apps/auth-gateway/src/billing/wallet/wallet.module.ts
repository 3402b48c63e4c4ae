import { Module } from '@nestjs/common';
import { LedgerModule, PlansModule } from '@platform/billing';
import { ProvisioningModule } from '../../identity/provisioning/provisioning.module.js';
import { AdminWalletsController } from './admin-wallets.controller.js';
import { LedgerSweepTask } from './ledger-sweep-task.js';
import { WalletAdjustments } from './wallet-adjustments.js';
import { WalletController } from './wallet.controller.js';
import { WalletEvents } from './wallet-events.js';
import { WalletReads } from './wallet-reads.js';
import { WalletsOfUsers } from './wallets-of-users.js';

@Module({
  imports: [LedgerModule, PlansModule, ProvisioningModule],
  controllers: [AdminWalletsController, WalletController],
  providers: [LedgerSweepTask, WalletAdjustments, WalletEvents, WalletReads, WalletsOfUsers],
  exports: [WalletReads],
})
export class WalletModule {}
