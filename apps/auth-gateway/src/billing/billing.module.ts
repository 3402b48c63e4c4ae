import { Module } from '@nestjs/common';
import { BillingClockModule } from './clock/billing-clock.module.js';
import { InvoicesOfUsersModule } from './invoices/invoices-of-users.module.js';
import { LedgerChecksModule } from './ledger-checks/ledger-checks.module.js';
import { PaymentsOfUsersModule } from './payments/payments-of-users.module.js';
import { PlansOfUsersModule } from './plans/plans.module.js';
import { BillingProfileModule } from './profile/billing-profile.module.js';
import { SpendingOfUsersModule } from './spending/spending.module.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';
import { WalletModule } from './wallet/wallet.module.js';

/** What users have, and pay. */
@Module({
  imports: [
    BillingClockModule,
    BillingProfileModule,
    InvoicesOfUsersModule,
    LedgerChecksModule,
    PaymentsOfUsersModule,
    PlansOfUsersModule,
    SpendingOfUsersModule,
    SubscriptionsModule,
    WalletModule,
  ],
})
export class BillingModule {}
