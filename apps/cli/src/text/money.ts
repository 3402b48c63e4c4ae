import { InvalidArgumentError } from 'commander';

/** Formats cents as an amount with its currency, such as `$10.00`. */
export const inMoney = (cents: number, currency = 'usd'): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);

/**
 * Parses an argument such as `10`, `10.50` or `$10` as cents.
 *
 * @throws InvalidArgumentError for other texts, such as one with a single decimal or more than 7
 * digits before the point.
 */
export function dollars(text: string): number {
  const [, whole, cents = '0'] = /^\$?(\d{1,7})(?:\.(\d{2}))?$/.exec(text) ?? [];
  if (whole === undefined)
    throw new InvalidArgumentError('It must be an amount in dollars, such as 10 or 10.50; at least 0.50.');
  return Number(whole) * 100 + Number(cents);
}
