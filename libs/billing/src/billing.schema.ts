import type { FeatureSchema } from '@platform/persistence';
import { BillingClock } from './clock/billing-clock.entity.js';
import { AppEarnings } from './earnings/app-earnings.entity.js';
import { DueCommission } from './earnings/due-commission.entity.js';
import { EarningsByDay } from './earnings/earnings-by-day.entity.js';
import { RemovedTestShare } from './earnings/removed-test-share.entity.js';
import { InvoiceCounter } from './invoices/invoice-counter.entity.js';
import { Invoice } from './invoices/invoice.entity.js';
import { LedgerDebt } from './ledger/ledger-debt.entity.js';
import { LedgerBooking } from './ledger/ledger-booking.entity.js';
import { WalletReservation } from './ledger/wallet-reservation.entity.js';
import { Wallet } from './ledger/wallet.entity.js';
import { AutoTopUpConsent } from './payments/auto-topup/auto-topup-consent.entity.js';
import { AutoTopUp } from './payments/auto-topup/auto-topup.entity.js';
import { WalletCrossing } from './payments/auto-topup/wallet-crossing.entity.js';
import { BillingCustomer } from './payments/billing-customer.entity.js';
import { InboundEvent } from './payments/inbound-event.entity.js';
import { PaymentMail } from './payments/mails/payment-mail.entity.js';
import { PaymentBalanceCheck } from './payments/balance/payment-balance-check.entity.js';
import { PaymentDecline } from './payments/declines/payment-decline.entity.js';
import { FormerCustomer } from './payments/former-customer.entity.js';
import { PaymentMethod } from './payments/payment-method.entity.js';
import { PaymentRefund } from './payments/payment-refund.entity.js';
import { Payment } from './payments/payment.entity.js';
import { PaymentDispute } from './payments/refunds/payment-dispute.entity.js';
import { PayoutDestination } from './payouts/payout-destination.entity.js';
import { Payout } from './payouts/payout.entity.js';
import { Plan } from './plans/plan.entity.js';
import { Subscription } from './plans/subscription.entity.js';
import { UserBillingProfile } from './profiles/user-billing-profile.entity.js';
import { SpendingLimits } from './spending/spending-limits.entity.js';
import { Spending } from './spending/spending.entity.js';
import { UsageCounter } from './usage/usage-counter.entity.js';
import { LedgerRoot } from './seals/ledger-root.entity.js';
import { WalletSeal } from './seals/wallet-seal.entity.js';
import { LedgerCheck } from './verify/ledger-check.entity.js';

/** Entities of billing. The service that runs billing adds them, and `billingParts`, to its schema. */
export const billingSchema: FeatureSchema[] = [
  { entities: [BillingClock] },
  { entities: [Wallet, LedgerBooking, WalletReservation, LedgerDebt] },
  { entities: [Payout, PayoutDestination] },
  { entities: [AppEarnings, DueCommission, EarningsByDay, RemovedTestShare] },
  {
    entities: [
      BillingCustomer,
      FormerCustomer,
      InboundEvent,
      Payment,
      PaymentDecline,
      PaymentMail,
      PaymentMethod,
      PaymentRefund,
    ],
  },
  { entities: [PaymentDispute] },
  { entities: [PaymentBalanceCheck] },
  { entities: [UserBillingProfile, Invoice, InvoiceCounter] },
  { entities: [AutoTopUp, AutoTopUpConsent, WalletCrossing] },
  { entities: [SpendingLimits, Spending] },
  { entities: [Plan, Subscription] },
  { entities: [UsageCounter] },
  { entities: [LedgerRoot, WalletSeal, LedgerCheck] },
];
