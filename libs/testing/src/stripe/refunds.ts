import type Stripe from 'stripe';
import type { FakeAccount } from './account.js';
import { createInvalidError, createMissingError } from './stripe-api-error.js';
import { addBalanceTransaction } from './balance.js';
import { isHeldByBank } from './disputes.js';
import {
  readMetadata,
  readNumber,
  readRequiredText,
  readText,
  type KnownParameters,
  type Parameters,
} from './parameters.js';

export const REFUND: KnownParameters = { payment_intent: true, amount: true, reason: true, metadata: '*' };

/**
 * Refunds all or a part of a charge. The refund succeeds immediately; `failRefund` simulates a
 * later failure, such as a closed card.
 *
 * @throws StripeApiError 404 if there is no such payment; 400 if it has no paid charge, the amount
 * exceeds the rest, or the charge is disputed or its dispute was lost
 */
export function createRefund(account: FakeAccount, given: Parameters): Stripe.Refund {
  const { state, webhooks } = account;
  const id = readRequiredText(given, 'payment_intent');
  const intent = state.find('payment_intent', id);
  if (!intent) throw createMissingError('payment_intent', id, 'payment_intent');
  const charge = typeof intent.latest_charge === 'string' ? state.find('charge', intent.latest_charge) : undefined;
  if (!charge?.paid)
    throw createInvalidError(
      `This PaymentIntent (${id}) does not have a successful charge to refund.`,
      'payment_intent',
    );
  const left = charge.amount - charge.amount_refunded;
  const amount = readNumber(given, 'amount') ?? left;
  if (isHeldByBank(account, charge.id))
    throw createInvalidError(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      'payment_intent',
      'charge_disputed',
    );
  if (left === 0)
    throw createInvalidError(
      `Charge ${charge.id} has already been refunded.`,
      'payment_intent',
      'charge_already_refunded',
    );
  if (amount < 1) throw createInvalidError('Invalid positive integer', 'amount', 'parameter_invalid_integer');
  if (amount > left)
    throw createInvalidError(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      'amount',
    );
  const refundId = state.newId('refund');
  const { currency } = charge;
  const booked = addBalanceTransaction(account, {
    type: 'refund',
    category: 'refund',
    amount: -amount,
    currency,
    source: refundId,
  });
  const refund = state.put('refund', {
    id: refundId,
    object: 'refund',
    amount,
    balance_transaction: booked.id,
    charge: charge.id,
    created: state.now(),
    currency,
    customer: charge.customer,
    customer_account: null,
    metadata: readMetadata(given),
    payment_intent: id,
    payment_method: charge.payment_method,
    reason: readText(given, 'reason') ?? null,
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

/**
 * Fails a refund: the money returns to the seller.
 *
 * @throws StripeApiError 404 if there is no such refund, 400 if it has already failed
 */
export function failRefund(account: FakeAccount, id: string): Stripe.Refund {
  const { state, webhooks } = account;
  const refund = state.find('refund', id);
  const charge = refund && state.find('charge', refund.charge as string);
  if (!refund || !charge) throw createMissingError('refund', id);
  if (refund.status !== 'succeeded')
    throw createInvalidError(`This refund has a status of ${refund.status}.`, 'refund');
  const { amount, currency } = refund;
  const booked = addBalanceTransaction(account, {
    type: 'refund_failure',
    category: 'refund_failure',
    amount,
    currency,
    source: id,
  });
  const failed = state.put('refund', {
    ...refund,
    status: 'failed',
    failure_reason: 'lost_or_stolen_card',
    failure_balance_transaction: booked.id,
  });
  const changed = state.put('charge', { ...charge, amount_refunded: charge.amount_refunded - amount, refunded: false });
  webhooks.emit('refund.failed', failed);
  webhooks.emit('charge.updated', changed);
  return failed;
}
