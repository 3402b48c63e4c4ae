import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What was begun for a user while their password was being changed outlived it: a code or an approval that committed after the reset had
 * looked for such. A user has an epoch now, and what a login is begun by carries that of its making.
 * Safe on a live table: columns with a constant default are added without a rewrite. A code of a process of before is of epoch 0, as every
 * user is until their epoch is raised for the first time; later such codes are refused, and the login is started again.
 */
export class CredentialsEpoch1764411000000 implements MigrationInterface {
  name = 'CredentialsEpoch1764411000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users ADD COLUMN credentials_epoch integer NOT NULL DEFAULT 0;
      ALTER TABLE cli_codes ADD COLUMN credentials_epoch integer NOT NULL DEFAULT 0;
      ALTER TABLE device_codes ADD COLUMN credentials_epoch integer NOT NULL DEFAULT 0;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE device_codes DROP COLUMN credentials_epoch;
      ALTER TABLE cli_codes DROP COLUMN credentials_epoch;
      ALTER TABLE users DROP COLUMN credentials_epoch;
    `);
  }
}
