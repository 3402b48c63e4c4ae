/** As people read it, such as `$10.00`. */
export const inMoney = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);

/** The same of US cents, in which everything is priced. */
export const usd = (cents: number): string => inMoney(cents, 'usd');
