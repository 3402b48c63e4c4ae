import type Stripe from 'stripe';
import { invalid, missing } from './api-error.js';
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

/** Customer that a parameter names. @throws StripeRefusal 400, also for one that was deleted. */
export function customerOf(account: Account, id: string): Stripe.Customer {
  const customer = findCustomer(account, id);
  if (!customer) throw invalid(`No such customer: '${id}'`, 'customer', 'resource_missing');
  return customer;
}

/** Customer that the path of a request names, or that a card is attached to. @throws StripeRefusal 404, also for one that was deleted. */
export function customerOfPath(account: Account, id: string): Stripe.Customer {
  const customer = findCustomer(account, id);
  if (!customer) throw missing('customer', id);
  return customer;
}

/** Customer whose objects are listed, who may have been deleted; null: those of all are. @throws StripeRefusal 400. */
export function listedCustomer({ state }: Account, id: string | undefined): string | null {
  if (id !== undefined && !state.find('customer', id)) throw invalid(`No such customer: '${id}'`, 'customer', 'resource_missing');
  return id ?? null;
}

function findCustomer({ state }: Account, id: string): Stripe.Customer | null {
  const customer = state.find('customer', id);
  return customer && !customer.deleted ? customer : null;
}

/** @throws StripeRefusal 404. */
export function paymentMethodOf({ state }: Account, id: string): Stripe.PaymentMethod {
  const method = state.find('payment_method', id);
  if (!method) throw missing('PaymentMethod', id, 'payment_method');
  return method;
}
