/**
 * Formats an amount for people, such as `$10.00`.
 *
 * @param cents hundredths of the currency.
 */
export const inMoney = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);

/** Formats US cents, the currency of all prices. */
export const usd = (cents: number): string => inMoney(cents, 'usd');
