import type Stripe from 'stripe';
import { createInvalidError, createMissingError } from './stripe-api-error.js';
import type { FakeStripeState } from './fake-stripe-state.js';
import type { FakeStripeWebhooks } from './fake-stripe-webhooks.js';

/** State and services that the routes use. */
export interface FakeAccount {
  state: FakeStripeState;
  webhooks: FakeStripeWebhooks;
  /** Returns the URL of a page of the fake. */
  urlOf: (path: string) => string;
}

export const EMPTY_BILLING: Stripe.PaymentMethod.BillingDetails = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};

/**
 * Returns the customer that a parameter names.
 *
 * @throws StripeApiError 400 if there is no such customer, or it was deleted
 */
export function requireCustomer(account: FakeAccount, id: string): Stripe.Customer {
  const customer = findCustomer(account, id);
  if (!customer) throw createInvalidError(`No such customer: '${id}'`, 'customer', 'resource_missing');
  return customer;
}

/**
 * Returns the customer in the path of a request, or the customer to attach a card to.
 *
 * @throws StripeApiError 404 if there is no such customer, or it was deleted
 */
export function requireCustomerInPath(account: FakeAccount, id: string): Stripe.Customer {
  const customer = findCustomer(account, id);
  if (!customer) throw createMissingError('customer', id);
  return customer;
}

/**
 * Returns the customer filter of a list, which can name a deleted customer; null: objects of all
 * customers.
 *
 * @throws StripeApiError 400 if there never was such a customer
 */
export function readCustomerFilter({ state }: FakeAccount, id: string | undefined): string | null {
  if (id !== undefined && !state.find('customer', id))
    throw createInvalidError(`No such customer: '${id}'`, 'customer', 'resource_missing');
  return id ?? null;
}

function findCustomer({ state }: FakeAccount, id: string): Stripe.Customer | null {
  const customer = state.find('customer', id);
  return customer && !customer.deleted ? customer : null;
}

/**
 * Returns a saved card.
 *
 * @throws StripeApiError 404 if there is no such card
 */
export function requirePaymentMethod({ state }: FakeAccount, id: string): Stripe.PaymentMethod {
  const method = state.find('payment_method', id);
  if (!method) throw createMissingError('PaymentMethod', id, 'payment_method');
  return method;
}
