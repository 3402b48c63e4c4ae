import { Ledger, Wallets, type Credit, type WalletKind } from '@platform/billing';
import { newId } from '@platform/platform';
import type { GatewayTest } from './gateway.js';

/** Gives a user credits, as an administrator does. Returns the id of the wallet. */
export async function giveCredits(
  { service: { app } }: GatewayTest,
  userId: string,
  amount: number,
  { walletKind = 'user', ...changes }: Partial<Credit> & { walletKind?: WalletKind } = {},
): Promise<string> {
  const walletId = await app.get(Wallets).ensure(userId, walletKind);
  const credit: Credit = {
    key: newId('test'),
    amount,
    kind: 'admin_adjustment',
    source: 'adjustment',
    earns: false,
    ...changes,
  };
  const { outcome } = await app.get(Ledger).credit(walletId, credit);
  if (outcome !== 'done') throw new Error(`The ledger answered ${outcome}.`);
  return walletId;
}
