import type { FeatureSchema } from '@platform/persistence';
import { AppSubscriptions1764600000700 } from './app-subscriptions/migrations/1764600000700-app-subscriptions.js';
import { MonthsInTheLedger1764640000000 } from './app-subscriptions/migrations/1764640000000-months-in-the-ledger.js';
import { BillingClock } from './clock/billing-clock.entity.js';
import { AppEarnings } from './earnings/app-earnings.entity.js';
import { CommissionDue } from './earnings/commission-due.entity.js';
import { EarningsByDay } from './earnings/earnings-by-day.entity.js';
import { ForgottenShare } from './earnings/forgotten-share.entity.js';
import { EarningsOfApps1764600000410 } from './earnings/migrations/1764600000410-earnings-of-apps.js';
import { InvoiceCounter } from './invoices/invoice-counter.entity.js';
import { Invoice } from './invoices/invoice.entity.js';
import { Invoices1764650000200 } from './invoices/migrations/1764650000200-invoices.js';
import { LedgerDebt } from './ledger/ledger-debt.entity.js';
import { LedgerEntry } from './ledger/ledger-entry.entity.js';
import { DebitsAtOnce1764620000000 } from './ledger/migrations/1764620000000-debits-at-once.js';
import { Ledger1764600000000 } from './ledger/migrations/1764600000000-ledger.js';
import { MovementsOfWallets1764630000000 } from './ledger/migrations/1764630000000-movements-of-wallets.js';
import { TakeBack1764650000300 } from './ledger/migrations/1764650000300-take-back.js';
import { GrantsInTheLedger1764681000110 } from './ledger/migrations/1764681000110-grants-in-the-ledger.js';
import { RecentEntries1764650000730 } from './ledger/migrations/1764650000730-recent-entries.js';
import { ForgottenTestCredits1764682000200 } from './ledger/migrations/1764682000200-forgotten-test-credits.js';
import { PartsOfTestShares1764684000100 } from './ledger/migrations/1764684000100-parts-of-test-shares.js';
import { EarningsPayDebts1764682000000 } from './ledger/migrations/1764682000000-earnings-pay-debts.js';
import { WalletHold } from './ledger/wallet-hold.entity.js';
import { Wallet } from './ledger/wallet.entity.js';
import { AutoTopupConsent } from './payments/auto-topup/auto-topup-consent.entity.js';
import { AutoTopup } from './payments/auto-topup/auto-topup.entity.js';
import { AutoTopups1764650000400 } from './payments/auto-topup/migrations/1764650000400-auto-topups.js';
import { LowMarks1764650000410 } from './payments/auto-topup/migrations/1764650000410-low-marks.js';
import { WalletCrossing } from './payments/auto-topup/wallet-crossing.entity.js';
import { BillingCustomer } from './payments/billing-customer.entity.js';
import { InboundEvent } from './payments/inbound-event.entity.js';
import { PaymentMail } from './payments/mails/payment-mail.entity.js';
import { Payments1764650000000 } from './payments/migrations/1764650000000-payments.js';
import { Refunds1764650000310 } from './payments/migrations/1764650000310-refunds.js';
import { ExpiringCards1764650000500 } from './payments/migrations/1764650000500-expiring-cards.js';
import { PaymentsStay1764650000600 } from './payments/migrations/1764650000600-payments-stay.js';
import { CardsBeingRemoved1764650000610 } from './payments/migrations/1764650000610-cards-being-removed.js';
import { MovementsOfRefunds1764680000200 } from './payments/migrations/1764680000200-movements-of-refunds.js';
import { ExpiryOfAllCards1764680000210 } from './payments/migrations/1764680000210-expiry-of-all-cards.js';
import { PaymentsOfSubscriptions1764681000100 } from './payments/migrations/1764681000100-payments-of-subscriptions.js';
import { OpenEvents1764680000220 } from './payments/migrations/1764680000220-open-events.js';
import { PaymentBalanceCheck } from './payments/balance/payment-balance-check.entity.js';
import { PaymentBalanceChecks1764680000240 } from './payments/migrations/1764680000240-payment-balance-checks.js';
import { PlansBeforeUpgrades1764680000230 } from './payments/migrations/1764680000230-plans-before-upgrades.js';
import { PaymentDecline } from './payments/declines/payment-decline.entity.js';
import { PaymentDeclines1764682000100 } from './payments/migrations/1764682000100-payment-declines.js';
import { FormerCustomer } from './payments/former-customer.entity.js';
import { FormerCustomers1764685000100 } from './payments/migrations/1764685000100-former-customers.js';
import { DaysInUtc1764685000000 } from './payments/migrations/1764685000000-days-in-utc.js';
import { UnpaidPaymentsExpire1764684000000 } from './payments/migrations/1764684000000-unpaid-payments-expire.js';
import { PaymentMethod } from './payments/payment-method.entity.js';
import { PaymentRefund } from './payments/payment-refund.entity.js';
import { Payment } from './payments/payment.entity.js';
import { PaymentDispute } from './payments/refunds/payment-dispute.entity.js';
import { Payouts1764600000400 } from './payouts/migrations/1764600000400-payouts.js';
import { RequestsOfPayouts1764600000430 } from './payouts/migrations/1764600000430-requests-of-payouts.js';
import { PayoutDestinations1764683000000 } from './payouts/migrations/1764683000000-payout-destinations.js';
import { PayoutDestination } from './payouts/payout-destination.entity.js';
import { Payout } from './payouts/payout.entity.js';
import { Plans1764600000200 } from './plans/migrations/1764600000200-plans.js';
import { PaidPlans1764650000100 } from './plans/migrations/1764650000100-paid-plans.js';
import { Plan } from './plans/plan.entity.js';
import { Subscription } from './plans/subscription.entity.js';
import { BillingProfile } from './profiles/billing-profile.entity.js';
import { SpendingLimits } from './spending/spending-limits.entity.js';
import { Spending } from './spending/spending.entity.js';
import { UsageCounters1764600000210 } from './usage/migrations/1764600000210-usage-counters.js';
import { CountersWithoutUsers1764610001100 } from './usage/migrations/1764610001100-counters-without-users.js';
import { UsageCounter } from './usage/usage-counter.entity.js';
import { LedgerRoot } from './seals/ledger-root.entity.js';
import { LedgerSeals1764600000500 } from './seals/migrations/1764600000500-ledger-seals.js';
import { WalletSeal } from './seals/wallet-seal.entity.js';
import { LedgerCheck } from './verify/ledger-check.entity.js';

/**
 * Entities and migrations of billing. The service that runs billing adds them to its schema. The
 * migration of the ledger also creates the tables of the clock, earnings and spending.
 */
export const billingSchema: FeatureSchema[] = [
  { entities: [BillingClock] },
  { migrations: [AppSubscriptions1764600000700, MonthsInTheLedger1764640000000] },
  {
    entities: [Wallet, LedgerEntry, WalletHold, LedgerDebt],
    migrations: [
      Ledger1764600000000,
      DebitsAtOnce1764620000000,
      MovementsOfWallets1764630000000,
      TakeBack1764650000300,
      RecentEntries1764650000730,
      GrantsInTheLedger1764681000110,
      EarningsPayDebts1764682000000,
      ForgottenTestCredits1764682000200,
      PartsOfTestShares1764684000100,
    ],
  },
  {
    entities: [Payout, PayoutDestination],
    migrations: [Payouts1764600000400, RequestsOfPayouts1764600000430, PayoutDestinations1764683000000],
  },
  { entities: [AppEarnings, CommissionDue, EarningsByDay, ForgottenShare], migrations: [EarningsOfApps1764600000410] },
  {
    entities: [BillingCustomer, FormerCustomer, InboundEvent, Payment, PaymentDecline, PaymentMail, PaymentMethod, PaymentRefund],
    migrations: [
      Payments1764650000000,
      ExpiringCards1764650000500,
      PaymentsStay1764650000600,
      CardsBeingRemoved1764650000610,
      ExpiryOfAllCards1764680000210,
      OpenEvents1764680000220,
      PlansBeforeUpgrades1764680000230,
      PaymentsOfSubscriptions1764681000100,
      PaymentDeclines1764682000100,
      UnpaidPaymentsExpire1764684000000,
      DaysInUtc1764685000000,
      FormerCustomers1764685000100,
    ],
  },
  { entities: [PaymentDispute], migrations: [Refunds1764650000310, MovementsOfRefunds1764680000200] },
  { entities: [PaymentBalanceCheck], migrations: [PaymentBalanceChecks1764680000240] },
  { entities: [BillingProfile, Invoice, InvoiceCounter], migrations: [Invoices1764650000200] },
  { entities: [AutoTopup, AutoTopupConsent, WalletCrossing], migrations: [AutoTopups1764650000400, LowMarks1764650000410] },
  { entities: [SpendingLimits, Spending] },
  { entities: [Plan, Subscription], migrations: [Plans1764600000200, PaidPlans1764650000100] },
  { entities: [UsageCounter], migrations: [UsageCounters1764600000210, CountersWithoutUsers1764610001100] },
  { entities: [LedgerRoot, WalletSeal, LedgerCheck], migrations: [LedgerSeals1764600000500] },
];
