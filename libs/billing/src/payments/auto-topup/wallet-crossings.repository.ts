import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** All crossings of a wallet up to the entry `seq`. */
export interface Crossing {
  walletId: string;
  seq: string;
}

/** Most crossings in one batch. */
export const CROSSING_BATCH = 50;

/**
 * Wallets whose balance fell below their mark. The database records a crossing together with the
 * movement, so none is lost.
 */
@Injectable()
export class WalletCrossingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Takes up to `CROSSING_BATCH` due crossings, and returns one for each wallet. Other processes
   * skip them for a minute. Crossings that are not dropped in that time become due again.
   */
  async claimDue(): Promise<Crossing[]> {
    return this.dataSource.query<Crossing[]>(
      `WITH due AS (
         SELECT wallet_id, seq FROM wallet_crossings WHERE look_at <= billing_now() ORDER BY look_at LIMIT ${CROSSING_BATCH} FOR UPDATE SKIP LOCKED
       ), taken AS (
         UPDATE wallet_crossings c SET look_at = billing_now() + interval '1 minute' FROM due
         WHERE c.wallet_id = due.wallet_id AND c.seq = due.seq RETURNING c.wallet_id, c.seq
       )
       SELECT wallet_id AS "walletId", max(seq) AS seq FROM taken GROUP BY wallet_id`,
    );
  }

  /**
   * Deletes the crossings of a wallet up to the entry `seq`, which were handled. False if another
   * process has deleted them.
   */
  async deleteHandled(em: EntityManager, { walletId, seq }: Crossing): Promise<boolean> {
    const [dropped] = await em.query<[unknown[], number]>(
      'DELETE FROM wallet_crossings WHERE wallet_id = $1 AND seq <= $2 RETURNING 1',
      [walletId, seq],
    );
    return dropped.length > 0;
  }

  /** Delays crossings until the given billing time. */
  async postpone(em: EntityManager, { walletId, seq }: Crossing, until: Date): Promise<void> {
    await em.query('UPDATE wallet_crossings SET look_at = $3 WHERE wallet_id = $1 AND seq <= $2', [
      walletId,
      seq,
      until,
    ]);
  }
}
