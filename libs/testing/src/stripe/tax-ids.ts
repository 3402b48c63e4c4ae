import type Stripe from 'stripe';
import { requireCustomerInPath, type FakeAccount } from './account.js';
import { createInvalidError, createMissingError } from './stripe-api-error.js';
import { readRequiredText, type KnownParameters, type Parameters } from './parameters.js';

export const TAX_ID: KnownParameters = { type: true, value: true };

/**
 * Formats of tax ids that Stripe verifies with a register. It accepts other types without
 * verification.
 */
const VERIFIED: Record<string, RegExp> = {
  eu_vat: /^[A-Z]{2}[A-Z0-9+*]{2,12}$/,
  gb_vat: /^(GB)?(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
};

/**
 * Adds a tax id to a customer.
 *
 * @throws StripeApiError 404 if there is no such customer; 400 if the type is unknown, or the value
 * cannot be a number of its type
 */
export function createTaxId(account: FakeAccount, customerId: string, given: Parameters): Stripe.TaxId {
  const { state, webhooks } = account;
  const customer = requireCustomerInPath(account, customerId).id;
  const [type, value] = [readRequiredText(given, 'type'), readRequiredText(given, 'value')];
  if (!/^[a-z]{2}_[a-z_]{2,10}$/.test(type)) throw createInvalidError(`Invalid type: ${type}`, 'type');
  const form = Object.hasOwn(VERIFIED, type) ? VERIFIED[type] : undefined;
  if (form && !form.test(value.replaceAll(/[ .-]/g, '')))
    throw createInvalidError(`Invalid value for ${type}.`, 'value', 'tax_id_invalid');
  const taxId: Stripe.TaxId = {
    id: state.newId('tax_id'),
    object: 'tax_id',
    country: countryOf(type, value),
    created: state.now(),
    customer,
    customer_account: null,
    livemode: false,
    owner: { type: 'customer', customer, customer_account: null },
    type,
    value,
    verification: { status: form ? 'pending' : 'unavailable', verified_address: null, verified_name: null },
  };
  state.put('tax_id', taxId);
  webhooks.emit('customer.tax_id.created', taxId);
  return taxId;
}

/**
 * Returns a tax id of a customer.
 *
 * @throws StripeApiError 404 if there is none, also if the tax id belongs to another customer
 */
export function findTaxId(account: FakeAccount, customerId: string, id: string): Stripe.TaxId {
  const taxId = account.state.find('tax_id', id);
  if (!taxId || taxId.deleted || taxId.customer !== requireCustomerInPath(account, customerId).id)
    throw createMissingError('tax_id', id);
  return taxId;
}

export function deleteTaxId(account: FakeAccount, customerId: string, id: string): Stripe.DeletedTaxId {
  const taxId = findTaxId(account, customerId, id);
  account.webhooks.emit('customer.tax_id.deleted', taxId);
  return account.state.put('tax_id', { id, object: 'tax_id', deleted: true }) as Stripe.DeletedTaxId;
}

/**
 * Tax ids of a customer, newest first.
 *
 * @throws StripeApiError 404 if there is no such customer
 */
export function listTaxIds(account: FakeAccount, customerId: string): Stripe.TaxId[] {
  const customer = requireCustomerInPath(account, customerId).id;
  return account.state.list('tax_id').filter((one): one is Stripe.TaxId => !one.deleted && one.customer === customer);
}

/**
 * Country of a tax id: in the European Union from the value, otherwise from the type; null if these
 * do not begin with two letters.
 */
const countryOf = (type: string, value: string): string | null => {
  const country = (type.startsWith('eu_') ? value : type).slice(0, 2).toUpperCase();
  return /^[A-Z]{2}$/.test(country) ? country : null;
};
