import type { FeatureSchema } from '@platform/persistence';
import { BillingClock } from './clock/billing-clock.entity.js';
import { CommissionDue } from './earnings/commission-due.entity.js';
import { EarningsByDay } from './earnings/earnings-by-day.entity.js';
import { LedgerDebt } from './ledger/ledger-debt.entity.js';
import { LedgerEntry } from './ledger/ledger-entry.entity.js';
import { Ledger1764600000000 } from './ledger/migrations/1764600000000-ledger.js';
import { WalletHold } from './ledger/wallet-hold.entity.js';
import { Wallet } from './ledger/wallet.entity.js';
import { Plans1764600000200 } from './plans/migrations/1764600000200-plans.js';
import { Plan } from './plans/plan.entity.js';
import { Subscription } from './plans/subscription.entity.js';
import { SpendingLimits } from './spending/spending-limits.entity.js';
import { Spending } from './spending/spending.entity.js';
import { UsageCounters1764600000210 } from './usage/migrations/1764600000210-usage-counters.js';
import { UsageCounter } from './usage/usage-counter.entity.js';

/** What billing has in the schema of the service that runs it. */
export const billingSchema: FeatureSchema[] = [
  { entities: [BillingClock] },
  { entities: [Wallet, LedgerEntry, WalletHold, LedgerDebt], migrations: [Ledger1764600000000] },
  { entities: [CommissionDue, EarningsByDay] },
  { entities: [SpendingLimits, Spending] },
  { entities: [Plan, Subscription], migrations: [Plans1764600000200] },
  { entities: [UsageCounter], migrations: [UsageCounters1764600000210] },
];
