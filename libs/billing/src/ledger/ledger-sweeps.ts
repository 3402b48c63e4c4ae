import { Injectable } from '@nestjs/common';
import type { Row } from '@platform/persistence';
import { DataSource } from 'typeorm';
import type { Wallet } from './wallet.entity.js';

const BATCH = 500;

/**
 * Takes away holds and credits that have expired. Movements do that by themselves for their wallet; this is for those that nothing moves, so that their
 * history says when.
 */
@Injectable()
export class LedgerSweeps {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Safe to run twice, and beside movements. Returns how many wallets had something.
   *
   * @throws Error when one could not be swept, after all others were.
   */
  async sweep(): Promise<number> {
    let swept = 0;
    const failures: unknown[] = [];
    for (let after = '0'; ;) {
      const wallets = await this.dataSource.query<Row<Wallet, 'id'>[]>(
        `SELECT id FROM (
           SELECT h.wallet_id AS id FROM wallet_holds h WHERE h.expires_at <= billing_now()
           UNION SELECT w.id FROM wallets w WHERE w.next_expiry <= billing_now()) AS due
         WHERE id > $1 ORDER BY id LIMIT ${BATCH}`,
        [after],
      );
      for (const { id } of wallets)
        await this.dataSource.query('SELECT ledger_sweep($1)', [id]).catch((error: unknown) => failures.push(error));
      swept += wallets.length;
      if (wallets.length < BATCH) break;
      after = wallets.at(-1)?.id as string;
    }
    if (failures.length) throw new AggregateError(failures, `${failures.length} wallets could not be swept: ${String(failures[0])}`);
    return swept;
  }
}
