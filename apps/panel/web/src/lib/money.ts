const formats = new Map<string, Intl.NumberFormat>();

/** Formats cents of a currency: `$1,234.50`. */
export function inMoney(cents: number, currency = 'usd'): string {
  let format = formats.get(currency);
  if (!format) formats.set(currency, (format = new Intl.NumberFormat('en', { style: 'currency', currency })));
  return format.format(cents / 100);
}

/**
 * Converts typed dollars to cents. Text that is not an amount is sent unchanged, so that the
 * platform returns its error.
 */
export function toCents(dollars: string): number {
  const typed = dollars.trim();
  return /^\d+(\.\d{1,2})?$/.test(typed) ? Math.round(Number(typed) * 100) : (typed as unknown as number);
}
