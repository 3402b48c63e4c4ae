import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Result of the last comparison with the balance of the payment provider. Safe on a live platform: a new table. */
export class PaymentBalanceChecks1764680000240 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payment_balance_checks (
        singleton boolean NOT NULL DEFAULT true CONSTRAINT payment_balance_checks_pkey PRIMARY KEY
          CONSTRAINT payment_balance_checks_one_row_check CHECK (singleton),
        checked_at timestamptz NOT NULL,
        agrees_until timestamptz NOT NULL,
        movements integer NOT NULL,
        differences integer NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payment_balance_checks');
  }
}
