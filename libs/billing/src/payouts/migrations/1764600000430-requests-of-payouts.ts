import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By which request a payout was asked for, so that a retry of the request makes no other. Safe on a live platform: a column without a default. */
export class RequestsOfPayouts1764600000430 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payouts ADD COLUMN request_id text CONSTRAINT payouts_request_id_key UNIQUE');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payouts DROP COLUMN request_id');
  }
}
