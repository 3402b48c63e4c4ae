/**
 * Formats an amount for people, such as `$10.00`.
 *
 * @param cents hundredths of the currency.
 */
export const formatMoney = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);

/** Formats an amount of US cents for people, such as `$10.00`. All prices are in US dollars. */
export const formatUsd = (cents: number): string => formatMoney(cents, 'usd');
