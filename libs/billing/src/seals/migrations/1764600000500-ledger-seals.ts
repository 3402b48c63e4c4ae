import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Seals of the ledger, and what its last check found. New tables only, so it is safe on a live platform. */
export class LedgerSeals1764600000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ledger_roots (
        number bigint CONSTRAINT ledger_roots_pkey PRIMARY KEY CONSTRAINT ledger_roots_number_check CHECK (number >= 1),
        seals bigint NOT NULL DEFAULT 0,
        entries bigint NOT NULL DEFAULT 0,
        sealed_at timestamptz,
        hash bytea,
        previous text,
        key_id text,
        mac text,
        CONSTRAINT ledger_roots_open_check CHECK (num_nulls(sealed_at, hash, previous, key_id, mac) IN (0, 5))
      );
      CREATE TRIGGER ledger_roots_refuse_update BEFORE UPDATE ON ledger_roots FOR EACH ROW WHEN (OLD.mac IS NOT NULL)
        EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER ledger_roots_refuse_delete BEFORE DELETE ON ledger_roots FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER ledger_roots_refuse_truncate BEFORE TRUNCATE ON ledger_roots EXECUTE FUNCTION refuse_change();

      CREATE TABLE wallet_seals (
        wallet_id bigint NOT NULL,
        upto_seq bigint NOT NULL,
        root_number bigint NOT NULL CONSTRAINT wallet_seals_root_fkey REFERENCES ledger_roots,
        hash bytea NOT NULL CONSTRAINT wallet_seals_hash_check CHECK (length(hash) = 32),
        marks bytea NOT NULL CONSTRAINT wallet_seals_marks_check CHECK (length(marks) BETWEEN 8 AND 8000 AND length(marks) % 8 = 0),
        CONSTRAINT wallet_seals_pkey PRIMARY KEY (wallet_id, upto_seq),
        CONSTRAINT wallet_seals_entry_fkey FOREIGN KEY (wallet_id, upto_seq) REFERENCES ledger_entries (wallet_id, seq)
      );
      CREATE INDEX wallet_seals_root_idx ON wallet_seals (root_number, wallet_id, upto_seq);
      CREATE TRIGGER wallet_seals_refuse_change BEFORE UPDATE OR DELETE ON wallet_seals FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER wallet_seals_refuse_truncate BEFORE TRUNCATE ON wallet_seals EXECUTE FUNCTION refuse_change();

      CREATE TABLE ledger_checks (
        singleton boolean CONSTRAINT ledger_checks_pkey PRIMARY KEY DEFAULT true CONSTRAINT ledger_checks_one_row_check CHECK (singleton),
        checked_at timestamptz NOT NULL,
        wallets bigint NOT NULL,
        entries bigint NOT NULL,
        problems bigint NOT NULL
      );

      -- The time of billing never moves where a gateway in production has run.
      ALTER TABLE billing_clock ADD is_fixed boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT billing_clock_fixed_check CHECK (NOT is_fixed OR ahead = '0')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE billing_clock DROP is_fixed; DROP TABLE ledger_checks, wallet_seals, ledger_roots');
  }
}
