import { LedgerService, verifyLedger, WalletsRepository, type Credit, type WalletKind } from '@platform/billing';
import { Keyring, newId } from '@platform/platform';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { GatewayTest } from './gateway-test.js';

/** Gives a user credits, as an administrator does. Returns the id of the wallet. */
export async function giveCredits(
  { service: { app } }: GatewayTest,
  userId: string,
  amount: number,
  { walletKind = 'user', ...changes }: Partial<Credit> & { walletKind?: WalletKind } = {},
): Promise<string> {
  const walletId = await app.get(WalletsRepository).ensureWallet(userId, walletKind);
  const credit: Credit = {
    key: newId('test'),
    amount,
    kind: 'admin_adjustment',
    source: 'adjustment',
    earns: false,
    ...changes,
  };
  const { outcome } = await app.get(LedgerService).credit(walletId, credit);
  if (outcome !== 'done') throw new Error(`The ledger answered ${outcome}.`);
  return walletId;
}

/** Problems that `billing:verify` would report. */
export async function ledgerProblems({ service: { app } }: GatewayTest): Promise<string[]> {
  const problems: string[] = [];
  const keyring = new Keyring(new Map([['k1', randomBytes(32)]]));
  await verifyLedger(app.get(DataSource), { keyring, report: (line) => problems.push(line) });
  return problems;
}
