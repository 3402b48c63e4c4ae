import { credits } from './credits.js';
import { printable } from './printable.js';

interface Priced {
  functions: readonly { name: string; price: number }[];
  /** Null unless the app has a monthly price. */
  monthlyPrice: number | null;
}

/** Prices of an app, one per line; null if it is free. */
export function costsOf({ functions, monthlyPrice }: Priced): string | null {
  if (monthlyPrice) return `  ${credits(monthlyPrice)} per month`;
  const lines = functions
    .filter(({ price }) => price > 0)
    .map(({ name, price }) => `  ${credits(price)} per call of ${printable(name)}`);
  return lines.length ? lines.join('\n') : null;
}
