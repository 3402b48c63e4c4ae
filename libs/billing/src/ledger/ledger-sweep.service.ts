import { Injectable } from '@nestjs/common';
import type { Row } from '@platform/persistence';
import { DataSource } from 'typeorm';
import type { Wallet } from './wallet.entity.js';

const BATCH = 500;

/**
 * Removes expired reservations and expired credits. A movement removes the expired credits of its
 * own wallet, and expired reservations if the other credits are not enough. The sweep covers all
 * other wallets, so that their history shows when credits expired.
 */
@Injectable()
export class LedgerSweepService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Removes expired reservations and expired credits from all wallets that have some. Credits that
   * are reserved stay, even after they have expired. Safe to run twice, and at the same time as
   * movements.
   *
   * @returns the number of wallets that it looked at.
   * @throws AggregateError if some wallets could not be swept, after all others were swept.
   */
  async sweepExpired(): Promise<number> {
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
    if (failures.length)
      throw new AggregateError(failures, `${failures.length} wallets could not be swept: ${String(failures[0])}`);
    return swept;
  }
}
