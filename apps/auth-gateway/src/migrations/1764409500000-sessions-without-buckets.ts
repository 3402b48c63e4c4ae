import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A device is known by its token, so nobody asks any more from which network a session came. Its column gets a default, so that this version
 * leaves it out while the one before still writes it; the next release drops it. No row is rewritten, and the lock is held for a moment.
 */
export class SessionsWithoutBuckets1764409500000 implements MigrationInterface {
  name = 'SessionsWithoutBuckets1764409500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sessions ALTER COLUMN ip_bucket SET DEFAULT ''`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions ALTER COLUMN ip_bucket DROP DEFAULT');
  }
}
