import type Stripe from 'stripe';
import type { Account } from './account.js';
import { invalid, missing } from './api-error.js';
import { metadataOf, numberOf, requiredText, textOf, type Known, type Parameters } from './parameters.js';

export const REFUND: Known = { payment_intent: true, amount: true, reason: true, metadata: '*' };

/** Gives back what was paid, or a part of it. It has happened when this answers; `failRefund` has it fail afterwards, as a closed card does. */
export function createRefund(account: Account, given: Parameters): Stripe.Refund {
  const { state, webhooks } = account;
  const id = requiredText(given, 'payment_intent');
  const intent = state.find('payment_intent', id);
  if (!intent) throw missing('payment_intent', id, 'payment_intent');
  const charge = typeof intent.latest_charge === 'string' ? state.find('charge', intent.latest_charge) : undefined;
  if (!charge?.paid) throw invalid(`This PaymentIntent (${id}) does not have a successful charge to refund.`, 'payment_intent');
  const left = charge.amount - charge.amount_refunded;
  const amount = numberOf(given, 'amount') ?? left;
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, 'payment_intent', 'charge_already_refunded');
  if (amount < 1) throw invalid('Invalid positive integer', 'amount', 'parameter_invalid_integer');
  if (amount > left) throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, 'amount');
  const refund = state.put('refund', {
    id: state.newId('refund'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: state.now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: metadataOf(given),
    payment_intent: id,
    payment_method: charge.payment_method,
    reason: textOf(given, 'reason') ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  });
  const refunded = charge.amount_refunded + amount;
  const changed = state.put('charge', { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount });
  webhooks.emit('refund.created', refund);
  webhooks.emit('charge.refunded', changed);
  return refund;
}

/** The bank did not take the money: it is the seller's again. */
export function failRefund({ state, webhooks }: Account, id: string): Stripe.Refund {
  const refund = state.find('refund', id);
  const charge = refund && state.find('charge', refund.charge as string);
  if (!refund || !charge) throw missing('refund', id);
  const failed = state.put('refund', { ...refund, status: 'failed', failure_reason: 'lost_or_stolen_card' });
  const changed = state.put('charge', { ...charge, amount_refunded: charge.amount_refunded - refund.amount, refunded: false });
  webhooks.emit('refund.failed', failed);
  webhooks.emit('charge.updated', changed);
  return failed;
}
