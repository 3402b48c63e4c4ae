import { Module } from '@nestjs/common';
import { BillingClockModule } from './clock/billing-clock.module.js';
import { LedgerChecksModule } from './ledger-checks/ledger-checks.module.js';
import { PlansOfUsersModule } from './plans/plans.module.js';
import { SpendingOfUsersModule } from './spending/spending.module.js';
import { WalletModule } from './wallet/wallet.module.js';

/** What users have, and pay. */
@Module({ imports: [BillingClockModule, LedgerChecksModule, PlansOfUsersModule, SpendingOfUsersModule, WalletModule] })
export class BillingModule {}
