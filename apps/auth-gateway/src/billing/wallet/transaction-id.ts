/** Id of a ledger entry, unique on the platform. */
export const toTransactionId = (walletId: string, seq: number | string): string => `${walletId}-${seq}`;
