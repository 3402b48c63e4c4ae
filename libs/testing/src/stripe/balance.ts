import type Stripe from 'stripe';
import type { FakeAccount } from './account.js';
import { createMissingError } from './stripe-api-error.js';
import { readText, type KnownParameters, type Parameters } from './parameters.js';

export const BALANCE = { type: true, source: true } satisfies KnownParameters;

/** Card fees of the seller: https://stripe.com/pricing. */
const FEE_RATE = 0.029;
const FEE_FIXED = 30;
/** Money can be paid out two days after a payment. */
const PENDING_SECONDS = 2 * 24 * 60 * 60;

/** Amount in cents; negative if the seller loses money. */
interface Movement {
  type: 'charge' | 'refund' | 'refund_failure' | 'adjustment';
  category: 'charge' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal';
  amount: number;
  fee?: number;
  currency: string;
  /** Id of the charge, refund or dispute. */
  source: string;
  description?: string | null;
}

/**
 * Adds a row to the seller's balance, and returns it. Its `net`, the amount without the fee, is the
 * change of the balance.
 */
export function addBalanceTransaction(
  { state }: FakeAccount,
  { type, category, amount, fee = 0, currency, source, description }: Movement,
): Stripe.BalanceTransaction {
  const created = state.now();
  return state.put('balance_transaction', {
    id: state.newId('balance_transaction'),
    object: 'balance_transaction',
    amount,
    available_on: created + PENDING_SECONDS,
    balance_type: 'payments',
    created,
    currency,
    description: description ?? null,
    exchange_rate: null,
    fee,
    fee_details: fee
      ? [{ amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }]
      : [],
    net: amount - fee,
    reporting_category: category,
    source,
    status: 'pending',
    type,
  });
}

export const computeFee = (amount: number): number => Math.round(amount * FEE_RATE) + FEE_FIXED;

/** Rows of the balance, newest first, filtered by type and source if they are given. */
export function listBalance(account: FakeAccount, given: Parameters): Stripe.BalanceTransaction[] {
  const [type, source] = [readText(given, 'type'), readText(given, 'source')];
  return account.state
    .list('balance_transaction')
    .filter((row) => (type === undefined || row.type === type) && (source === undefined || row.source === source))
    .map((row) => asOfNow(account, row));
}

/**
 * Returns a row of the balance, with its status at this time: `available` two days after the
 * payment, earlier `pending`.
 *
 * @throws StripeApiError 404 if there is no such row
 */
export function findBalanceTransaction(account: FakeAccount, id: string): Stripe.BalanceTransaction {
  const row = account.state.find('balance_transaction', id);
  if (!row) throw createMissingError('balance transaction', id);
  return asOfNow(account, row);
}

const asOfNow = ({ state }: FakeAccount, row: Stripe.BalanceTransaction): Stripe.BalanceTransaction => ({
  ...row,
  status: row.available_on <= state.now() ? 'available' : 'pending',
});
