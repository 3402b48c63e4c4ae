import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts to which payouts go, and which of them a payout was requested with. Safe on a live platform: a table, and a column without a default. */
export class PayoutDestinations1764683000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payout_destinations (
        id text PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT payout_destinations_tenant_fkey REFERENCES tenants,
        user_id text NOT NULL CONSTRAINT payout_destinations_user_fkey REFERENCES users,
        method text NOT NULL CONSTRAINT payout_destinations_method_check CHECK (length(method) BETWEEN 1 AND 50),
        sealed_details text,
        created_at timestamptz NOT NULL DEFAULT now(),
        replaced_at timestamptz
      )`);
    await runner.query('CREATE UNIQUE INDEX payout_destinations_current_key ON payout_destinations (user_id) WHERE replaced_at IS NULL');
    await runner.query('CREATE INDEX payout_destinations_user_idx ON payout_destinations (user_id)');
    await runner.query('CREATE INDEX payout_destinations_tenant_idx ON payout_destinations (tenant_id)');
    await runner.query(
      'ALTER TABLE payouts ADD COLUMN destination_id text CONSTRAINT payouts_destination_fkey REFERENCES payout_destinations',
    );
    await runner.query('CREATE INDEX payouts_destination_idx ON payouts (destination_id) WHERE destination_id IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payouts DROP COLUMN destination_id');
    await runner.query('DROP TABLE payout_destinations');
  }
}
