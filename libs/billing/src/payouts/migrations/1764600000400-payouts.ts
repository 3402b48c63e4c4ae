import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payouts of developers. A new table only, so it is safe on a live platform. */
export class Payouts1764600000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payouts (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT payouts_tenant_fkey REFERENCES tenants,
        developer_id text NOT NULL CONSTRAINT payouts_developer_fkey REFERENCES users,
        amount_tokens bigint NOT NULL
          CONSTRAINT payouts_amount_check CHECK (amount_tokens BETWEEN 10000 AND 1000000000000 AND amount_tokens % 10 = 0),
        usd_cents bigint NOT NULL CONSTRAINT payouts_usd_check CHECK (usd_cents > 0),
        status text NOT NULL DEFAULT 'pending' CONSTRAINT payouts_status_check CHECK (status IN ('pending', 'approved', 'paid', 'rejected')),
        method text NOT NULL DEFAULT 'manual',
        notes text,
        admin_note text,
        reference text,
        requested_at timestamptz NOT NULL DEFAULT billing_now(),
        processed_at timestamptz,
        CONSTRAINT payouts_processed_check CHECK ((processed_at IS NOT NULL) = (status IN ('paid', 'rejected'))),
        CONSTRAINT payouts_reference_check CHECK ((reference IS NOT NULL) = (status = 'paid'))
      );
      CREATE INDEX payouts_developer_idx ON payouts (developer_id, id);
      CREATE INDEX payouts_open_idx ON payouts (status, id) WHERE status IN ('pending', 'approved')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payouts');
  }
}
