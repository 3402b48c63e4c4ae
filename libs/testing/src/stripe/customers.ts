import type Stripe from 'stripe';
import { requireCustomerInPath, type FakeAccount } from './account.js';
import { createInvalidError } from './stripe-api-error.js';
import { readMetadata, readObject, readText, type KnownParameters, type Parameters } from './parameters.js';

const ADDRESS: KnownParameters = {
  city: true,
  country: true,
  line1: true,
  line2: true,
  postal_code: true,
  state: true,
};
export const CUSTOMER: KnownParameters = {
  email: true,
  name: true,
  description: true,
  address: ADDRESS,
  invoice_settings: { default_payment_method: true },
  metadata: '*',
};

export function createCustomer(account: FakeAccount, given: Parameters): Stripe.Customer {
  const { state, webhooks } = account;
  const customer: Stripe.Customer = {
    id: state.newId('customer'),
    object: 'customer',
    address: addressOf(given),
    balance: 0,
    created: state.now(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: readText(given, 'description') ?? null,
    discount: null,
    email: readText(given, 'email') ?? null,
    invoice_prefix: state.newId('customer').slice(-8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: readMetadata(given),
    name: readText(given, 'name') ?? null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  state.put('customer', customer);
  webhooks.emit('customer.created', customer);
  return customer;
}

/**
 * Updates a customer. An empty text clears the name or the address.
 *
 * @throws StripeApiError 404 if there is no such customer; 400 if the chosen card belongs to
 * another one
 */
export function updateCustomer(account: FakeAccount, id: string, given: Parameters): Stripe.Customer {
  const before = requireCustomerInPath(account, id);
  const chosen = readText(readObject(given, 'invoice_settings') ?? {}, 'default_payment_method');
  if (chosen !== undefined && account.state.find('payment_method', chosen)?.customer !== id) {
    throw createInvalidError(
      `The customer does not have a payment method with the ID ${chosen}. The payment method must be attached to the customer.`,
      'invoice_settings[default_payment_method]',
      'resource_missing',
    );
  }
  const customer: Stripe.Customer = {
    ...before,
    address: given['address'] === '' ? null : (addressOf(given) ?? before.address ?? null),
    description: readText(given, 'description') ?? before.description,
    email: readText(given, 'email') ?? before.email,
    name: given['name'] === '' ? null : (readText(given, 'name') ?? before.name ?? null),
    metadata: readMetadata(given, before.metadata),
    invoice_settings: { ...before.invoice_settings, ...(chosen !== undefined && { default_payment_method: chosen }) },
  };
  account.state.put('customer', customer);
  account.webhooks.emit('customer.updated', customer);
  return customer;
}

/**
 * Deletes a customer and detaches the cards.
 *
 * @throws StripeApiError 404 if there is no such customer
 */
export function deleteCustomer(account: FakeAccount, id: string): Stripe.DeletedCustomer {
  const { state, webhooks } = account;
  const customer = requireCustomerInPath(account, id);
  for (const method of state.list('payment_method').filter((one) => one.customer === id)) {
    state.put('payment_method', { ...method, customer: null });
  }
  const deleted = state.put('customer', { id, object: 'customer', deleted: true }) as Stripe.DeletedCustomer;
  webhooks.emit('customer.deleted', customer);
  return deleted;
}

function addressOf(given: Parameters): Stripe.Address | null {
  const address = readObject(given, 'address');
  if (!address) return null;
  const part = (name: string) => readText(address, name) ?? null;
  return {
    city: part('city'),
    country: part('country'),
    line1: part('line1'),
    line2: part('line2'),
    postal_code: part('postal_code'),
    state: part('state'),
  };
}
