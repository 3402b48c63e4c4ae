import { credits } from './credits.js';
import { printable } from './printable.js';

interface Priced {
  functions: readonly { name: string; price: number }[];
  /** Null unless it is paid for by the month; a platform of before does not say it. */
  monthlyPrice: number | null | undefined;
}

/** What an app costs, in lines; null for nothing. */
export function costsOf({ functions, monthlyPrice }: Priced): string | null {
  if (monthlyPrice) return `  ${credits(monthlyPrice)} a month`;
  const lines = functions.filter(({ price }) => price > 0).map(({ name, price }) => `  ${credits(price)} for a call of ${printable(name)}`);
  return lines.length ? lines.join('\n') : null;
}
