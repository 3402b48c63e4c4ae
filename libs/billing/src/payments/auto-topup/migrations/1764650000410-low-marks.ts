import type { MigrationInterface, QueryRunner } from 'typeorm';

const BATCH = 500;

/**
 * Gives their marks to the wallets that there are. Safe on a live platform: up to 500 wallets are locked at a time, each time for one short statement, and what was done
 * is not done again where it breaks off. No wallet that is below its mark already counts as having crossed it.
 */
export class LowMarks1764650000410 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (let after: string | null = '0'; after !== null;) {
      const [batch] = (await runner.query(
        `WITH batch AS MATERIALIZED (
           SELECT id FROM wallets WHERE id > $1 ORDER BY id LIMIT ${BATCH}
         ), locked AS MATERIALIZED (
           SELECT id FROM wallets WHERE id IN (SELECT id FROM batch) AND kind = 'user' AND low_mark IS NULL ORDER BY id FOR NO KEY UPDATE
         ), marked AS (
           UPDATE wallets w SET low_mark = wallet_low_mark(w.user_id) FROM locked WHERE w.id = locked.id AND w.low_mark IS NULL
         )
         SELECT max(id)::text AS last FROM batch`,
        [after],
      )) as [{ last: string | null }];
      after = batch.last;
    }
  }

  /** The column goes with the migration before. */
  async down(): Promise<void> {
    // nothing to take back
  }
}
