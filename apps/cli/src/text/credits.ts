/** `1 credit`, `20 credits`. */
export const credits = (amount: number): string => `${amount} ${Math.abs(amount) === 1 ? 'credit' : 'credits'}`;
