import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Declined tries by user. Safe on a live platform: a new table. Declines of the hour before it are not counted. */
export class PaymentDeclines1764682000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payment_declines (
        attempt_id text NOT NULL CONSTRAINT payment_declines_pkey PRIMARY KEY,
        user_id text NOT NULL CONSTRAINT payment_declines_user_fkey REFERENCES users,
        intent_id text NOT NULL,
        declined_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX payment_declines_user_idx ON payment_declines (user_id, declined_at);
      CREATE INDEX payment_declines_intent_idx ON payment_declines (intent_id);
      CREATE INDEX payment_declines_expiry_idx ON payment_declines (declined_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payment_declines');
  }
}
