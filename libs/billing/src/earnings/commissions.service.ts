import { Inject, Injectable } from '@nestjs/common';
import type { Row } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { WalletsRepository } from '../ledger/wallets.repository.js';
import type { DueCommission } from './due-commission.entity.js';

/**
 * Shares that one statement books. It is small, so that the statement locks the wallet only
 * briefly.
 */
const BATCH = 1_000;
const DEVELOPERS_AT_ONCE = 100;
const MAX_MS = 10_000;

/**
 * Credits developers with their shares of charges. The shares first pay a developer's debt. A call
 * only records that a share is due (`commission_due`). One database function books the shares, each
 * once. Any number of processes can run it at the same time, and can be killed at any point.
 */
@Injectable()
export class CommissionsService {
  /** Last developer that had a turn when the time ran out; empty after a complete round. */
  private stoppedAt = '';

  constructor(
    private readonly dataSource: DataSource,
    private readonly wallets: WalletsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Books the due shares, one batch for each developer in turn, for up to `maxMs` milliseconds, and
   * pays the debts of these developers with them. If the shares of a developer cannot be booked,
   * logs that and skips the developer.
   *
   * @returns true if a complete round found nothing more that could be booked; false if the time
   * ran out first. The next call continues from there.
   */
  async bookDueShares(maxMs = MAX_MS): Promise<boolean> {
    const end = performance.now() + maxMs;
    // Local, not a field: two simultaneous calls would move each other's position, and each would
    // skip developers.
    let last = this.stoppedAt;
    /** True if this round began at the first developer and has booked nothing so far. */
    let foundNothing = last === '';
    for (;;) {
      const developers = await this.developersAfter(last);
      for (const developerId of developers) {
        last = developerId;
        if (await this.bookBatch(developerId)) foundNothing = false;
        if (performance.now() > end) {
          this.stoppedAt = last;
          return false;
        }
      }
      if (developers.length === DEVELOPERS_AT_ONCE) continue;
      last = this.stoppedAt = '';
      if (foundNothing) return true;
      foundNothing = true;
    }
  }

  /**
   * Books all due shares of a developer and pays the developer's debt with them. Creates the wallet
   * of earnings if it is missing. From now on the transaction locks all wallets of the developer.
   *
   * @returns the id of the wallet of earnings.
   * @throws Error if the developer does not exist.
   */
  async bookDeveloperShares(developerId: string, em: EntityManager): Promise<string> {
    const walletId = await this.wallets.ensureWallet(developerId, 'earnings', em);
    while ((await book(em, walletId)) === BATCH);
    return walletId;
  }

  /**
   * Books one batch of a developer's due shares and returns their number. Logs an error and returns
   * 0 instead of throwing, so that other developers are still booked.
   */
  private async bookBatch(developerId: string): Promise<number> {
    try {
      const walletId =
        (await this.wallets.findWalletId(developerId, 'earnings')) ??
        (await this.wallets.ensureWallet(developerId, 'earnings'));
      return await book(this.dataSource.manager, walletId);
    } catch (error) {
      this.logger.error({ err: error, developerId }, 'the shares of a developer could not be booked');
      return 0;
    }
  }

  /**
   * Ids of up to 100 developers with due shares, in order, that follow `last`. Uses one index
   * lookup for each.
   */
  private async developersAfter(last: string): Promise<string[]> {
    const rows = await this.dataSource.query<Row<DueCommission, 'developerId'>[]>(
      `WITH RECURSIVE developers AS (
         (SELECT developer_id FROM commission_due WHERE developer_id > $1 ORDER BY developer_id LIMIT 1)
         UNION ALL
         SELECT (SELECT c.developer_id FROM commission_due c WHERE c.developer_id > d.developer_id ORDER BY c.developer_id LIMIT 1)
         FROM developers d WHERE d.developer_id IS NOT NULL
       )
       SELECT developer_id FROM developers WHERE developer_id IS NOT NULL LIMIT ${DEVELOPERS_AT_ONCE}`,
      [last],
    );
    return rows.map(({ developer_id }) => developer_id);
  }
}

async function book(em: EntityManager, walletId: string): Promise<number> {
  const [{ booked }] = await em.query<[{ booked: number }]>('SELECT ledger_book_earnings($1, $2) AS booked', [
    walletId,
    BATCH,
  ]);
  return booked;
}
