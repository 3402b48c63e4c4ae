import type { Row } from '@platform/persistence';
import type { DataSource } from 'typeorm';
import type { LedgerCheck } from './ledger-check.entity.js';
import type { LedgerVerdict } from './verify-ledger.js';

/**
 * Stores the result of a check of the ledger (`verifyLedger`) in place of the previous one, so that
 * every process can report it.
 */
export async function recordLedgerCheck(
  dataSource: DataSource,
  { wallets, entries, problems }: LedgerVerdict,
): Promise<void> {
  await dataSource.query(
    `INSERT INTO ledger_checks (checked_at, wallets, entries, problems) VALUES (now(), $1, $2, $3) ON CONFLICT (singleton)
     DO UPDATE SET checked_at = EXCLUDED.checked_at, wallets = EXCLUDED.wallets, entries = EXCLUDED.entries, problems = EXCLUDED.problems`,
    [wallets, entries, problems],
  );
}

/** Result of the last check; null before the first. */
export async function findLastLedgerCheck(
  dataSource: DataSource,
): Promise<{ checkedAt: Date; problems: number } | null> {
  const [last] = await dataSource.query<Row<LedgerCheck, 'checkedAt' | 'problems'>[]>(
    'SELECT checked_at, problems FROM ledger_checks',
  );
  return last ? { checkedAt: last.checked_at, problems: Number(last.problems) } : null;
}
