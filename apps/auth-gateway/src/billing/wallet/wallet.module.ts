import { Module } from '@nestjs/common';
import { LedgerModule, PlansModule } from '@platform/billing';
import { ErasureModule } from '../../kernel/erasure/erasure.module.js';
import { ProvisioningModule } from '../../identity/provisioning/provisioning.module.js';
import { WalletController } from './wallet.controller.js';
import { WalletReads } from './wallet-reads.js';
import { WalletsOfUsers } from './wallets-of-users.js';

/** What users have to spend, and what became of it. */
@Module({
  imports: [ErasureModule, LedgerModule, PlansModule, ProvisioningModule],
  controllers: [WalletController],
  providers: [WalletReads, WalletsOfUsers],
})
export class WalletModule {}
