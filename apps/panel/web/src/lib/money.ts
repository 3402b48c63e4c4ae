const formats = new Map<string, Intl.NumberFormat>();

/** Cents of a currency: `$1,234.50`. */
export function inMoney(cents: number, currency = 'usd'): string {
  let format = formats.get(currency);
  if (!format) formats.set(currency, (format = new Intl.NumberFormat('en', { style: 'currency', currency })));
  return format.format(cents / 100);
}

/** The cents of dollars that somebody typed; what is no number goes on as it is, for the platform to say what is wrong with it. */
export function toCents(dollars: string): number {
  const typed = dollars.trim();
  return /^\d+(\.\d{1,2})?$/.test(typed) ? Math.round(Number(typed) * 100) : (typed as unknown as number);
}
