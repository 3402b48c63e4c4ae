/** Formats an amount as `1 credit` or `20 credits`. */
export const credits = (amount: number): string => `${amount} ${Math.abs(amount) === 1 ? 'credit' : 'credits'}`;
