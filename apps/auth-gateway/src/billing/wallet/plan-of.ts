/** What a wallet shows of the plan of its user. */
export interface PlanOfUser {
  plan: string;
  status: string;
  includedTokens: number;
}

export const planOf = (_userId: string): Promise<PlanOfUser> => Promise.resolve({ plan: 'free', status: 'active', includedTokens: 1_000 });
