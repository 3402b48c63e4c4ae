import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { requireCustomer, type FakeAccount } from './account.js';
import { createInvalidError, createMissingError, StripeApiError } from './stripe-api-error.js';
import { getCardBehaviour } from './cards.js';
import { readMetadata, readRequiredText, readText, type KnownParameters, type Parameters } from './parameters.js';
import { attachPaymentMethod, findOrCreatePaymentMethod } from './payment-methods.js';

export const SETUP_INTENT: KnownParameters = {
  customer: true,
  usage: true,
  automatic_payment_methods: { enabled: true, allow_redirects: true },
  description: true,
  metadata: '*',
};

export function createSetupIntent(account: FakeAccount, given: Parameters): Stripe.SetupIntent {
  const { state, webhooks } = account;
  const customer = readRequiredText(given, 'customer');
  requireCustomer(account, customer);
  const id = state.newId('setup_intent');
  const intent = state.put('setup_intent', {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
    created: state.now(),
    customer,
    description: readText(given, 'description') ?? null,
    excluded_payment_method_types: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: readMetadata(given),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: readText(given, 'usage') ?? 'off_session',
  });
  webhooks.emit('setup_intent.created', intent);
  return intent;
}

/**
 * Saves a card for its customer without a payment. Returns the setup: succeeded, or
 * `requires_action` if the customer must authenticate.
 *
 * @throws StripeApiError 402 if the card is declined, 404 if there is no such setup or card, 400 if
 * the setup is in another state or the card belongs to another customer
 */
export function confirmSetupIntent(account: FakeAccount, id: string, methodId: string): Stripe.SetupIntent {
  const { state, webhooks } = account;
  const intent = findSetupIntent(account, id);
  if (intent.status !== 'requires_payment_method')
    throw createInvalidError(`This SetupIntent has a status of ${intent.status}.`, 'intent');
  const method = findOrCreatePaymentMethod(account, methodId);
  const { declines, authenticates, canBeSaved } = getCardBehaviour(method);
  if (declines && !canBeSaved) {
    const failed = state.put('setup_intent', {
      ...intent,
      latest_attempt: newAttemptId(),
      last_setup_error: { type: 'card_error', ...declines },
    });
    webhooks.emit('setup_intent.setup_failed', failed);
    throw new StripeApiError(402, { type: 'card_error', ...declines, setup_intent: failed });
  }
  if (authenticates) {
    const waiting = state.put('setup_intent', {
      ...intent,
      payment_method: method.id,
      last_setup_error: null,
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} },
    });
    webhooks.emit('setup_intent.requires_action', waiting);
    return waiting;
  }
  return finish(account, intent, method.id);
}

export function authenticateSetupIntent(account: FakeAccount, id: string, succeeds: boolean): Stripe.SetupIntent {
  const intent = findSetupIntent(account, id);
  if (intent.status !== 'requires_action')
    throw createInvalidError(`This SetupIntent has a status of ${intent.status}.`, 'intent');
  if (succeeds) return finish(account, intent, intent.payment_method as string);
  const failed = account.state.put('setup_intent', {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    latest_attempt: newAttemptId(),
    last_setup_error: {
      type: 'card_error',
      code: 'setup_intent_authentication_failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    },
  });
  account.webhooks.emit('setup_intent.setup_failed', failed);
  return failed;
}

/**
 * Cancels a setup intent.
 *
 * @throws StripeApiError 404 if there is no such setup intent, 400 if it has already ended
 */
export function cancelSetupIntent(account: FakeAccount, id: string): Stripe.SetupIntent {
  const intent = findSetupIntent(account, id);
  if (!intent.status.startsWith('requires_')) {
    throw new StripeApiError(400, {
      type: 'invalid_request_error',
      code: 'setup_intent_unexpected_state',
      message: `You cannot cancel this SetupIntent because it has a status of ${intent.status}.`,
    });
  }
  const canceled = account.state.put('setup_intent', { ...intent, status: 'canceled', next_action: null });
  account.webhooks.emit('setup_intent.canceled', canceled);
  return canceled;
}

const newAttemptId = (): string => `setatt_${randomBytes(12).toString('hex')}`;

export function findSetupIntent({ state }: FakeAccount, id: string): Stripe.SetupIntent {
  const intent = state.find('setup_intent', id);
  if (!intent) throw createMissingError('setup_intent', id, 'intent');
  return intent;
}

function finish(account: FakeAccount, intent: Stripe.SetupIntent, methodId: string): Stripe.SetupIntent {
  const { id: payment_method } = attachPaymentMethod(account, methodId, intent.customer as string);
  const done = account.state.put('setup_intent', {
    ...intent,
    payment_method,
    status: 'succeeded',
    next_action: null,
    last_setup_error: null,
  });
  account.webhooks.emit('setup_intent.succeeded', done);
  return done;
}
