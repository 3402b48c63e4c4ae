import type { PaymentMethodItem } from '@platform/client';

const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** Name of a card, such as `Visa ending in 4242`. */
export const cardName = ({ brand, last4 }: Pick<PaymentMethodItem, 'brand' | 'last4'>): string =>
  `${BRANDS[brand] ?? (brand && brand !== 'unknown' ? brand : 'Card')} ending in ${last4}`;

/** Expiry month of a card, such as `04/2029`. */
export const cardExpiry = ({ exp_month, exp_year }: Pick<PaymentMethodItem, 'exp_month' | 'exp_year'>): string =>
  `${String(exp_month).padStart(2, '0')}/${exp_year}`;

/** True if the card can no longer be used: it is valid until the end of its expiry month. */
export const hasExpired = (
  { exp_month, exp_year }: Pick<PaymentMethodItem, 'exp_month' | 'exp_year'>,
  now = new Date(),
): boolean => exp_year < now.getFullYear() || (exp_year === now.getFullYear() && exp_month < now.getMonth() + 1);
