const whole = new Intl.NumberFormat('en');
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
const CREDITS_PER_DOLLAR = 1_000;
/** Same as `MIN_PAYOUT` of the contracts. */
export const SMALLEST_PAYOUT = 10_000;

/** Formats an amount as `1 credit` or `20,000 credits`. */
export const credits = (amount: number): string =>
  `${whole.format(amount)} ${Math.abs(amount) === 1 ? 'credit' : 'credits'}`;

/** Formats an amount with its sign, as `+20` or `−20,000`. */
export const signedCredits = (amount: number): string => `${amount < 0 ? '−' : '+'}${whole.format(Math.abs(amount))}`;

export const wholeNumber = (value: number): string => whole.format(value);

/** Value of credits in dollars: `$20.00`. */
export const inDollars = (amount: number): string => dollars.format(amount / CREDITS_PER_DOLLAR);
