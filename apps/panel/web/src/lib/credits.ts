const whole = new Intl.NumberFormat('en');
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
const CREDITS_PER_DOLLAR = 1_000;
/** `MIN_PAYOUT` of the contracts. */
export const SMALLEST_PAYOUT = 10_000;

/** `1 credit`, `20,000 credits`. */
export const credits = (amount: number): string => `${whole.format(amount)} ${Math.abs(amount) === 1 ? 'credit' : 'credits'}`;

/** `+20`, `−20,000`. */
export const signedCredits = (amount: number): string => `${amount < 0 ? '−' : '+'}${whole.format(Math.abs(amount))}`;

export const wholeNumber = (value: number): string => whole.format(value);

/** What credits are worth: `$20.00`. */
export const inDollars = (amount: number): string => dollars.format(amount / CREDITS_PER_DOLLAR);
