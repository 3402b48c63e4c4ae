import type Stripe from 'stripe';
import { requireCustomerInPath, EMPTY_BILLING, requirePaymentMethod, type FakeAccount } from './account.js';
import { StripeApiError } from './stripe-api-error.js';
import { findTestCard } from './cards.js';

/**
 * Returns a saved card, or creates a new one from the id of a test card, such as `pm_card_visa`.
 *
 * @throws StripeApiError 404 if there is no such card
 */
export function findOrCreatePaymentMethod(account: FakeAccount, id: string): Stripe.PaymentMethod {
  return id.startsWith('pm_card_') ? createPaymentMethod(account, id) : requirePaymentMethod(account, id);
}

function createPaymentMethod({ state }: FakeAccount, testId: string): Stripe.PaymentMethod {
  const { brand, last4 } = findTestCard(testId);
  return state.put('payment_method', {
    id: state.newId('payment_method'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: EMPTY_BILLING,
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month: 12,
      exp_year: new Date(state.now() * 1000).getUTCFullYear() + 3,
      fingerprint: `fingerprint${last4}`,
      funding: 'credit',
      generated_from: null,
      last4,
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: state.now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  });
}

export function attachPaymentMethod(account: FakeAccount, id: string, customerId: string): Stripe.PaymentMethod {
  const method = findOrCreatePaymentMethod(account, id);
  requireCustomerInPath(account, customerId);
  if (method.customer === customerId) return method;
  if (method.customer !== null) {
    throw new StripeApiError(400, {
      type: 'invalid_request_error',
      code: 'payment_method_unexpected_state',
      message: 'The payment method you provided has already been attached to a customer.',
    });
  }
  const attached = account.state.put('payment_method', { ...method, customer: customerId });
  account.webhooks.emit('payment_method.attached', attached);
  return attached;
}

export function detachPaymentMethod(account: FakeAccount, id: string): Stripe.PaymentMethod {
  const method = requirePaymentMethod(account, id);
  if (method.customer === null) {
    throw new StripeApiError(400, {
      type: 'invalid_request_error',
      code: 'payment_method_not_attached',
      message: 'The payment method you provided is not attached to a customer so detachment is impossible.',
    });
  }
  const { state, webhooks } = account;
  const customer = state.find('customer', method.customer as string);
  const detached = state.put('payment_method', { ...method, customer: null });
  if (customer && !customer.deleted && customer.invoice_settings.default_payment_method === id) {
    state.put('customer', {
      ...customer,
      invoice_settings: { ...customer.invoice_settings, default_payment_method: null },
    });
  }
  webhooks.emit('payment_method.detached', detached);
  return detached;
}

export const listPaymentMethods = ({ state }: FakeAccount, customerId: string): Stripe.PaymentMethod[] =>
  state.list('payment_method').filter(({ customer }) => customer === customerId);
