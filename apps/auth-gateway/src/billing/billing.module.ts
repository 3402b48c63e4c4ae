import { Module } from '@nestjs/common';
import { MoneyAuditModule } from './audit/money-audit.module.js';
import { BillingClockModule } from './clock/billing-clock.module.js';
import { UserInvoicesModule } from './invoices/user-invoices.module.js';
import { LedgerChecksModule } from './ledger-checks/ledger-checks.module.js';
import { AutoTopUpModule } from './payments/auto-topup/auto-topup.module.js';
import { CardsModule } from './payments/cards/cards.module.js';
import { CustomerDeletionModule } from './payments/customer-deletion/customer-deletion.module.js';
import { PaymentHistoryModule } from './payments/history/payment-history.module.js';
import { PaymentMailsModule } from './payments/mails/payment-mails.module.js';
import { StripePaymentsModule } from './payments/stripe-payments.module.js';
import { PortalModule } from './payments/portal/portal.module.js';
import { ProviderEventsModule } from './payments/provider-events/provider-events.module.js';
import { RefundsModule } from './payments/refunds/refunds.module.js';
import { PaymentSweepsModule } from './payments/sweeps/payment-sweeps.module.js';
import { TestCreditsModule } from './payments/test-credits/test-credits.module.js';
import { TopupsModule } from './payments/topups/topups.module.js';
import { UserPlansModule } from './plans/user-plans.module.js';
import { BillingProfileModule } from './profile/billing-profile.module.js';
import { UserSpendingModule } from './spending/user-spending.module.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';
import { WalletModule } from './wallet/wallet.module.js';

@Module({
  imports: [
    AutoTopUpModule,
    BillingClockModule,
    BillingProfileModule,
    CardsModule,
    UserInvoicesModule,
    LedgerChecksModule,
    MoneyAuditModule,
    CustomerDeletionModule,
    PaymentHistoryModule,
    PaymentMailsModule,
    StripePaymentsModule,
    PaymentSweepsModule,
    UserPlansModule,
    PortalModule,
    ProviderEventsModule,
    RefundsModule,
    UserSpendingModule,
    SubscriptionsModule,
    TestCreditsModule,
    TopupsModule,
    WalletModule,
  ],
})
export class BillingModule {}
