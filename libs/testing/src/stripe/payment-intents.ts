import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { requireCustomer, type FakeAccount } from './account.js';
import { createInvalidError, createMissingError, StripeApiError } from './stripe-api-error.js';
import { getCardBehaviour } from './cards.js';
import { createCharge } from './charges.js';
import { openDispute } from './disputes.js';
import {
  readFlag,
  readMetadata,
  readNumber,
  readRequiredText,
  readText,
  type KnownParameters,
  type Parameters,
} from './parameters.js';
import { attachPaymentMethod, findOrCreatePaymentMethod } from './payment-methods.js';

export const PAYMENT_INTENT: KnownParameters = {
  amount: true,
  currency: true,
  customer: true,
  payment_method: true,
  automatic_payment_methods: { enabled: true, allow_redirects: true },
  setup_future_usage: true,
  off_session: true,
  confirm: true,
  receipt_email: true,
  description: true,
  return_url: true,
  expand: '*',
  metadata: '*',
};
export const CONFIRMATION: KnownParameters = {
  payment_method: true,
  client_secret: true,
  return_url: true,
  off_session: true,
  expand: '*',
};

/**
 * Limits in cents of a dollar:
 * https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts.
 */
const SMALLEST = 50;
const LARGEST = 99_999_999;

export function findIntent({ state }: FakeAccount, id: string): Stripe.PaymentIntent {
  const intent = state.find('payment_intent', id);
  if (!intent) throw createMissingError('payment_intent', id, 'intent');
  return intent;
}

export function createIntent(account: FakeAccount, given: Parameters): Stripe.PaymentIntent {
  const { state, webhooks } = account;
  const amount = readNumber(given, 'amount');
  if (amount === undefined) throw createInvalidError('Missing required param: amount.', 'amount', 'parameter_missing');
  if (amount < SMALLEST) throw createInvalidError('Amount must be at least $0.50 usd', 'amount', 'amount_too_small');
  if (amount > LARGEST)
    throw createInvalidError('Amount must be no more than $999,999.99', 'amount', 'amount_too_large');
  const currency = readRequiredText(given, 'currency').toLowerCase();
  if (!/^[a-z]{3}$/.test(currency)) throw createInvalidError(`Invalid currency: ${currency}`, 'currency');
  const customer = readText(given, 'customer') ?? null;
  if (customer !== null) requireCustomer(account, customer);
  const method = readText(given, 'payment_method');
  const offSession = readFlag(given, 'off_session');
  const confirms = readFlag(given, 'confirm');
  if (offSession && !confirms)
    throw createInvalidError('`off_session` can only be used with `confirm=true`.', 'off_session');
  const kept = method === undefined ? null : findOrCreatePaymentMethod(account, method);
  if (kept) assertUsable(kept, method, customer);
  const id = state.newId('payment_intent');
  const intent = state.put('payment_intent', {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
    confirmation_method: 'automatic',
    created: state.now(),
    currency,
    customer,
    customer_account: null,
    description: readText(given, 'description') ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: readMetadata(given),
    next_action: null,
    on_behalf_of: null,
    payment_method: kept?.id ?? null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: readText(given, 'receipt_email') ?? null,
    review: null,
    setup_future_usage: readText(given, 'setup_future_usage') ?? null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: method === undefined ? 'requires_payment_method' : 'requires_confirmation',
    transfer_group: null,
  });
  webhooks.emit('payment_intent.created', intent);
  return confirms ? confirmIntent(account, id, { method, offSession }) : intent;
}

/**
 * Confirms a payment, and returns it: succeeded, `processing`, or `requires_action` if the customer
 * must authenticate. If the card is declined, or needs authentication while the customer is absent,
 * the payment waits for another card.
 *
 * @throws StripeApiError 402 for such a card; 404 if there is no such payment or card; 400 if the
 * payment is in another state, or the card is missing or cannot be used
 */
export function confirmIntent(
  account: FakeAccount,
  id: string,
  { method: given, offSession = false }: { method?: string | undefined; offSession?: boolean },
): Stripe.PaymentIntent {
  const { state, webhooks } = account;
  const before = findIntent(account, id);
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(before.status))
    throw wrongState(before, 'confirm');
  const methodId = given ?? (before.payment_method as string | null);
  if (!methodId)
    throw createInvalidError(
      'You cannot confirm this PaymentIntent because it is missing a payment method.',
      'payment_method',
    );
  const method = findOrCreatePaymentMethod(account, methodId);
  assertUsable(method, given, before.customer as string | null);
  const { declines, authenticates, processes } = getCardBehaviour(method);
  const intent: Stripe.PaymentIntent = { ...before, payment_method: method.id, last_payment_error: null };
  if (authenticates === 'always' || (authenticates === 'first' && method.customer === null)) {
    if (offSession) {
      return decline(account, intent, method, {
        code: 'authentication_required',
        decline_code: 'authentication_required',
        message: 'Your card was declined. This transaction requires authentication.',
      });
    }
    const waiting = state.put('payment_intent', {
      ...intent,
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} },
    });
    webhooks.emit('payment_intent.requires_action', waiting);
    return waiting;
  }
  if (declines) return decline(account, intent, method, declines);
  if (processes) {
    const processing = state.put('payment_intent', { ...intent, status: 'processing' });
    webhooks.emit('payment_intent.processing', processing);
    return processing;
  }
  return succeed(account, intent, method);
}

/**
 * Finishes the customer's authentication. The payment then succeeds, or waits for another card.
 *
 * @throws StripeApiError 404 if there is no such payment, 400 if it does not wait for
 * authentication
 */
export function authenticateIntent(account: FakeAccount, id: string, succeeds: boolean): Stripe.PaymentIntent {
  const intent = findIntent(account, id);
  if (intent.status !== 'requires_action') throw wrongState(intent, 'authenticate');
  if (succeeds) return succeed(account, intent, findOrCreatePaymentMethod(account, intent.payment_method as string));
  return putFailed(account, intent, {
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  });
}

/**
 * Ends a payment that is `processing`. It succeeds, or fails and waits for another card.
 *
 * @throws StripeApiError 404 if there is no such payment, 400 if it is not `processing`
 */
export function finishProcessing(account: FakeAccount, id: string, succeeds: boolean): Stripe.PaymentIntent {
  const intent = findIntent(account, id);
  if (intent.status !== 'processing') throw wrongState(intent, 'finish');
  const method = findOrCreatePaymentMethod(account, intent.payment_method as string);
  if (succeeds) return succeed(account, intent, method);
  const declined = { code: 'payment_failed', message: 'The payment failed.' };
  const charge = createCharge(account, intent, method, { declined });
  return putFailed(account, { ...intent, latest_charge: charge.id }, { ...declined, charge: charge.id });
}

/**
 * Cancels a payment that is neither paid nor processing.
 *
 * @throws StripeApiError 404 if there is no such payment, 400 if it is paid, processing or canceled
 */
export function cancelIntent(account: FakeAccount, id: string, given: Parameters): Stripe.PaymentIntent {
  const { state, webhooks } = account;
  const intent = findIntent(account, id);
  const reason = readText(given, 'cancellation_reason') ?? null;
  if (['succeeded', 'processing', 'canceled'].includes(intent.status)) throw wrongState(intent, 'cancel');
  const canceled = state.put('payment_intent', {
    ...intent,
    status: 'canceled',
    canceled_at: state.now(),
    cancellation_reason: reason,
    next_action: null,
  });
  webhooks.emit('payment_intent.canceled', canceled);
  return canceled;
}

function succeed(
  account: FakeAccount,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Stripe.PaymentIntent {
  const { state, webhooks } = account;
  if (intent.setup_future_usage && intent.customer !== null && method.customer === null)
    attachPaymentMethod(account, method.id, intent.customer as string);
  const charge = createCharge(account, intent, method, {});
  const paid = state.put('payment_intent', {
    ...intent,
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    next_action: null,
    processing: null,
  });
  webhooks.emit('payment_intent.succeeded', paid);
  if (getCardBehaviour(method).disputes) openDispute(account, charge.id);
  return paid;
}

interface Decline {
  code: string;
  decline_code?: string;
  message: string;
  /** Id of the charge; absent if the bank was not asked. */
  charge?: string;
}

function decline(
  account: FakeAccount,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  declined: Decline,
): never {
  const charge = createCharge(account, intent, method, { declined });
  const failed = putFailed(account, { ...intent, latest_charge: charge.id }, { ...declined, charge: charge.id });
  throw new StripeApiError(402, { type: 'card_error', ...declined, payment_intent: failed });
}

function putFailed(
  { state, webhooks }: FakeAccount,
  intent: Stripe.PaymentIntent,
  { code, decline_code, message, charge }: Decline,
): Stripe.PaymentIntent {
  const failed = state.put('payment_intent', {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: {
      type: 'card_error',
      code,
      message,
      ...(decline_code && { decline_code }),
      ...(charge && { charge }),
    },
  });
  webhooks.emit('payment_intent.payment_failed', failed);
  return failed;
}

/**
 * Checks that a card can be used for a payment of this customer.
 *
 * @param given id of the card in the request, which is the id of a test card for a new card
 * @throws StripeApiError 400 if the card belongs to another customer, was detached, or was used
 * without a customer
 */
function assertUsable(method: Stripe.PaymentMethod, given: string | undefined, customer: string | null): void {
  if (method.customer !== null && method.customer !== customer) {
    throw createInvalidError(
      'The provided PaymentMethod belongs to another customer.',
      'payment_method',
      'payment_method_customer_mismatch',
    );
  }
  if (method.customer !== null || given !== method.id) return;
  // Stripe's error has neither a code nor a parameter here.
  throw new StripeApiError(400, {
    type: 'invalid_request_error',
    message:
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, or was detached from a Customer. It may not be used again.',
  });
}

const wrongState = (intent: Stripe.PaymentIntent, verb: string): StripeApiError =>
  new StripeApiError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message: `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`,
    payment_intent: intent,
  });
