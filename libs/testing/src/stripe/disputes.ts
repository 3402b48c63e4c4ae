import type Stripe from 'stripe';
import type { FakeAccount } from './account.js';
import { createInvalidError, createMissingError } from './stripe-api-error.js';
import { addBalanceTransaction } from './balance.js';
import { readText, type KnownParameters, type Parameters } from './parameters.js';

export const DISPUTES = { charge: true, payment_intent: true } satisfies KnownParameters;

/** Cents that a dispute costs the seller, never refunded: https://stripe.com/pricing. */
const FEE = 1_500;
const ANSWER_WITHIN_SECONDS = 7 * 24 * 60 * 60;

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

/** Reasons of a dispute that banks report. */
export const DISPUTE_REASONS = [
  'fraudulent',
  'product_not_received',
  'duplicate',
  'subscription_canceled',
  'general',
] as const;

export interface DisputeOptions {
  /** Cents; by default the full amount that was not refunded. */
  amount?: number;
  reason?: (typeof DISPUTE_REASONS)[number];
}

/**
 * Opens a dispute. The bank takes the money from the seller until it decides.
 *
 * @throws StripeApiError 404 if there is no such charge; 400 if it is not paid, has less left than
 * `amount`, or is already disputed
 */
export function openDispute(
  account: FakeAccount,
  chargeId: string,
  { amount, reason = 'fraudulent' }: DisputeOptions = {},
): Stripe.Dispute {
  const { state, webhooks } = account;
  const charge = state.find('charge', chargeId);
  if (!charge) throw createMissingError('charge', chargeId, 'charge');
  const left = charge.paid ? charge.amount - charge.amount_refunded : 0;
  const disputed = amount ?? left;
  if (charge.disputed) throw createInvalidError(`Charge ${chargeId} has already been disputed.`, 'charge');
  if (disputed < 1 || disputed > left)
    throw createInvalidError(`Of charge ${chargeId}, ${left} can be disputed, not ${disputed}.`, 'amount');
  const id = state.newId('dispute');
  const { currency } = charge;
  const withdrawal = addBalanceTransaction(account, {
    type: 'adjustment',
    category: 'dispute',
    amount: -disputed,
    fee: FEE,
    currency,
    source: id,
  });
  const dispute = state.put('dispute', {
    id,
    object: 'dispute',
    amount: disputed,
    balance_transactions: [withdrawal],
    charge: chargeId,
    created: state.now(),
    currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: state.now() + ANSWER_WITHIN_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    network_reason_code: null,
    payment_intent: charge.payment_intent,
    reason,
    status: 'needs_response',
  });
  state.put('charge', { ...charge, disputed: true });
  webhooks.emit('charge.dispute.created', dispute);
  webhooks.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/**
 * Closes a dispute. If the seller wins, the money returns without the fee.
 *
 * @throws StripeApiError 404 if there is no such dispute, 400 if it is closed
 */
export function closeDispute(account: FakeAccount, id: string, outcome: 'won' | 'lost'): Stripe.Dispute {
  const { state, webhooks } = account;
  const before = findDispute(account, id);
  if (isClosed(before)) throw createInvalidError(`This dispute has a status of ${before.status}.`, 'dispute');
  const { amount, currency } = before;
  const back =
    outcome === 'won'
      ? [
          addBalanceTransaction(account, {
            type: 'adjustment',
            category: 'dispute_reversal',
            amount,
            currency,
            source: id,
          }),
        ]
      : [];
  const dispute = state.put('dispute', {
    ...before,
    status: outcome,
    balance_transactions: [...before.balance_transactions, ...back],
  });
  webhooks.emit('charge.dispute.closed', dispute);
  if (outcome === 'won') webhooks.emit('charge.dispute.funds_reinstated', dispute);
  return dispute;
}

/**
 * Returns a dispute.
 *
 * @throws StripeApiError 404 if there is no such dispute
 */
export function findDispute({ state }: FakeAccount, id: string): Stripe.Dispute {
  const dispute = state.find('dispute', id);
  if (!dispute) throw createMissingError('dispute', id, 'dispute');
  return dispute;
}

/** Disputes, newest first, filtered by charge and payment intent if they are given. */
export function listDisputes({ state }: FakeAccount, given: Parameters): Stripe.Dispute[] {
  const [charge, intent] = [readText(given, 'charge'), readText(given, 'payment_intent')];
  return state
    .list('dispute')
    .filter(
      (one) =>
        (charge === undefined || one.charge === charge) && (intent === undefined || one.payment_intent === intent),
    );
}

/** True if the charge has a dispute that is open or was lost; then it cannot be refunded. */
export const isHeldByBank = ({ state }: FakeAccount, chargeId: string): boolean =>
  state.list('dispute').some(({ charge, status }) => charge === chargeId && status !== 'won');

const isClosed = ({ status }: Stripe.Dispute): boolean => status === 'won' || status === 'lost';
