import { Inject, Injectable } from '@nestjs/common';
import type { Row } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { Wallets } from '../ledger/wallets.js';
import type { CommissionDue } from './commission-due.entity.js';

/** How many shares one statement books: few enough that it holds the wallet for a moment only. */
const BATCH = 1_000;
const DEVELOPERS_AT_ONCE = 100;
const MAX_MS = 10_000;

/**
 * Credits developers with their shares of what calls cost, which pay a developer's debt first. A call only notes that there is a share (`commission_due`); what is booked, and that each
 * is booked once, is for one function of the database, so any number of processes may do this at once, and be killed meanwhile.
 */
@Injectable()
export class Commissions {
  /** The developer who had their turn last when the time was over; empty where all had. */
  private stoppedAt = '';

  constructor(
    private readonly dataSource: DataSource,
    private readonly wallets: Wallets,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Books what is due, a batch for each developer in turn. True: one whole round found nothing more to book; a developer who could not be booked is
   * logged, and passed over. False: the time was over first; the next call goes on there.
   */
  async bookAll(maxMs = MAX_MS): Promise<boolean> {
    const end = performance.now() + maxMs;
    // Local, not a field: two calls at once would move each other's position, and each would pass over developers.
    let last = this.stoppedAt;
    /** Whether this round began at the first developer and has booked nothing so far. */
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

  /** Books all that is due to one developer, and pays their debt with it. @returns their wallet of earnings; the transaction holds all of theirs from now on. */
  async bookOf(developerId: string, em: EntityManager): Promise<string> {
    const walletId = await this.wallets.ensure(developerId, 'earnings', em);
    while ((await book(em, walletId)) === BATCH);
    return walletId;
  }

  /** One that cannot be booked keeps nobody else's from being. */
  private async bookBatch(developerId: string): Promise<number> {
    try {
      const walletId = (await this.wallets.find(developerId, 'earnings')) ?? (await this.wallets.ensure(developerId, 'earnings'));
      return await book(this.dataSource.manager, walletId);
    } catch (error) {
      this.logger.error({ err: error, developerId }, 'shares of a developer are not booked');
      return 0;
    }
  }

  /** Of those who have shares to come, by one look into the index for each. */
  private async developersAfter(last: string): Promise<string[]> {
    const rows = await this.dataSource.query<Row<CommissionDue, 'developerId'>[]>(
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
  const [{ booked }] = await em.query<[{ booked: number }]>('SELECT ledger_book_earnings($1, $2) AS booked', [walletId, BATCH]);
  return booked;
}
