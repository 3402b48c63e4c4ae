const formats = new Map<string, Intl.NumberFormat>();

/** Formats cents of a currency: `$1,234.50`. */
export function inMoney(cents: number, currency = 'usd'): string {
  let format = formats.get(currency);
  if (!format) formats.set(currency, (format = new Intl.NumberFormat('en', { style: 'currency', currency })));
  return format.format(cents / 100);
}

/**
 * Converts typed dollars to cents. Text that is not an amount with at most two decimals is returned
 * as it is, so that the platform refuses it with its own error.
 */
export function toCents(dollars: string): number {
  const typed = dollars.trim();
  return /^\d+(\.\d{1,2})?$/.test(typed) ? Math.round(Number(typed) * 100) : (typed as unknown as number);
}
