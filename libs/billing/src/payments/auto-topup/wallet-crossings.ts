import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Of a wallet: up to the entry `seq`. */
export interface Crossing {
  walletId: string;
  seq: string;
}

/** Of how many crossings one batch is at most. */
export const CROSSING_BATCH = 50;

/** Wallets whose balance fell below their mark. The database writes them down with the movement, so that none is lost. */
@Injectable()
export class WalletCrossings {
  constructor(private readonly dataSource: DataSource) {}

  /** Those that are due, one for each wallet. Nobody else takes them for a minute; what is not dropped by then comes again. */
  async take(): Promise<Crossing[]> {
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

  /** Something came of them. False where somebody else dropped them. */
  async drop(em: EntityManager, { walletId, seq }: Crossing): Promise<boolean> {
    const [dropped] = await em.query<[unknown[], number]>('DELETE FROM wallet_crossings WHERE wallet_id = $1 AND seq <= $2 RETURNING 1', [
      walletId,
      seq,
    ]);
    return dropped.length > 0;
  }

  /** Not to be looked at before that moment, by the time of billing. */
  async postpone(em: EntityManager, { walletId, seq }: Crossing, until: Date): Promise<void> {
    await em.query('UPDATE wallet_crossings SET look_at = $3 WHERE wallet_id = $1 AND seq <= $2', [walletId, seq, until]);
  }
}
