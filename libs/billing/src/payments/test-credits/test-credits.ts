import type { DataSource } from 'typeorm';
import { LedgerService } from '../../ledger/ledger.service.js';
import { WalletsRepository } from '../../ledger/wallets.repository.js';
import { OPEN_PAYOUT } from '../../payouts/payout.entity.js';

const FORGET = 'npm run billing:forget-test-credits';
/** The payment of a renewal has no credits in its row, but the plan grants some. */
const OF_TESTS =
  "NOT is_live AND status = 'succeeded' AND (credits > 0 OR purpose = 'renewal') AND forgotten_at IS NULL";

/** Result of one run of `removeTestCredits`. */
export interface RemovedTestCredits {
  payments: number;
  /** Credits removed from wallets. */
  credits: number;
  /** Credits removed from the earnings of developers. */
  shares: number;
  /** Reasons for test payments that could not be handled completely; a line each. */
  left: string[];
}

/**
 * Checks that `removeTestCredits` has handled all paid test payments. Call it if the platform takes
 * real money.
 *
 * @throws Error if credits of test payments can still be in a wallet or in earnings: developers
 * would be paid real money for them.
 */
export async function assertNoTestCredits(dataSource: DataSource): Promise<void> {
  const left = await dataSource.query<unknown[]>(`SELECT FROM payments WHERE ${OF_TESTS} LIMIT 1`);
  if (left.length)
    throw new Error(
      `STRIPE_SECRET_KEY is a live key, but there are credits of test payments, which must not earn real money. Remove them with ${FORGET}`,
    );
}

/**
 * Removes the remaining credits of test payments from wallets, and the developers' shares of them
 * from earnings. If something must wait (`left`), no payment counts as handled. Safe to repeat: the
 * next run continues, also after a failure.
 */
export async function removeTestCredits(dataSource: DataSource): Promise<RemovedTestCredits> {
  const payments = await dataSource.query<{ id: string; user_id: string }[]>(
    `SELECT id, user_id FROM payments WHERE ${OF_TESTS} ORDER BY id`,
  );
  const left: string[] = [];
  const before = await bookedOut(dataSource);
  const wallets = await dataSource.query<{ id: string }[]>(
    "SELECT id FROM wallets WHERE user_id = ANY ($1) AND kind = 'user' AND closed_at IS NULL ORDER BY id",
    [payments.map(({ user_id }) => user_id)],
  );
  for (const { id } of wallets) {
    const [{ held }] = await dataSource.query<[{ held: string }]>('SELECT ledger_forget_test_credits($1) AS held', [
      id,
    ]);
    if (held !== '0')
      left.push(`Wallet ${id}: ${held} credits are reserved for calls. They are available again within 15 minutes.`);
  }
  const earners = await dataSource.query<{ developer_id: string }[]>(
    'SELECT DISTINCT developer_id FROM ledger_test_shares(NULL) ORDER BY developer_id',
  );
  for (const { developer_id: developerId } of earners) left.push(...(await removeTestShares(dataSource, developerId)));
  if (!left.length)
    await dataSource.query('UPDATE payments SET forgotten_at = now() WHERE id = ANY ($1)', [
      payments.map(({ id }) => id),
    ]);
  const after = await bookedOut(dataSource);
  return {
    payments: left.length ? 0 : payments.length,
    credits: after.credits - before.credits,
    shares: after.shares - before.shares,
    left,
  };
}

/**
 * Removes the shares of test payments from a developer's earnings. If some are left, returns a line
 * for each open payout of the developer, because it must be rejected first. Shares that were
 * already paid out in tests are ignored.
 */
async function removeTestShares(dataSource: DataSource, developerId: string): Promise<string[]> {
  const walletId = await new WalletsRepository(dataSource, new LedgerService(dataSource)).ensureWallet(
    developerId,
    'earnings',
  );
  const [{ kept }] = await dataSource.query<[{ kept: string }]>('SELECT ledger_forget_test_shares($1) AS kept', [
    walletId,
  ]);
  if (kept === '0') return [];
  const open = await dataSource.query<{ id: string }[]>(
    `SELECT id FROM payouts WHERE developer_id = $1 AND ${OPEN_PAYOUT} ORDER BY id`,
    [developerId],
  );
  return open.map(({ id }) => `Payout ${id} of ${developerId} contains earnings from test payments. Reject it first.`);
}

async function bookedOut(dataSource: DataSource): Promise<{ credits: number; shares: number }> {
  const [row] = await dataSource.query<[{ credits: string; shares: string }]>(
    `SELECT (SELECT coalesce(-sum(amount), 0) FROM ledger_entries WHERE kind = 'test_credits') AS credits,
       (SELECT coalesce(sum(share), 0) FROM forgotten_shares) AS shares`,
  );
  return { credits: Number(row.credits), shares: Number(row.shares) };
}
