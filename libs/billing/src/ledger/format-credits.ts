/** Formats an amount: `1 credit`, `20 credits`. */
export const formatCredits = (amount: number): string => `${amount} ${Math.abs(amount) === 1 ? 'credit' : 'credits'}`;
