import { Module } from '@nestjs/common';
import { PlansModule } from './plans/plans.module.js';
import { SpendingOfUsersModule } from './spending/spending.module.js';
import { WalletModule } from './wallet/wallet.module.js';

/** What users have, and pay. */
@Module({ imports: [PlansModule, SpendingOfUsersModule, WalletModule] })
export class BillingModule {}
