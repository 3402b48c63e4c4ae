/** Id of a ledger entry, unique on the platform. */
export const transactionIdOf = (walletId: string, seq: number | string): string => `${walletId}-${seq}`;
