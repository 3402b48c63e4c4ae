import type Stripe from 'stripe';
import { missing } from './api-error.js';
import type { State } from './state.js';
import type { Webhooks } from './webhooks.js';

/** What the routes work with. */
export interface Account {
  state: State;
  webhooks: Webhooks;
  /** Where its pages are. */
  urlOf: (path: string) => string;
}

export const EMPTY_BILLING: Stripe.PaymentMethod.BillingDetails = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};

/** @throws StripeRefusal 404, also for one that was deleted. */
export function customerOf({ state }: Account, id: string): Stripe.Customer {
  const customer = state.find('customer', id);
  if (!customer || customer.deleted) throw missing('customer', id, 'customer');
  return customer;
}

/** @throws StripeRefusal 404. */
export function paymentMethodOf({ state }: Account, id: string): Stripe.PaymentMethod {
  const method = state.find('payment_method', id);
  if (!method) throw missing('PaymentMethod', id, 'payment_method');
  return method;
}
