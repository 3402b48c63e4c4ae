import type { SchemaPart } from '@platform/persistence';

/** Seals of the ledger, and results of its checks. */
export const sealsPart: SchemaPart = {
  tables: `
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

  CREATE TABLE wallet_seals (
    wallet_id bigint,
    upto_seq bigint,
    root_number bigint NOT NULL CONSTRAINT wallet_seals_root_fkey REFERENCES ledger_roots,
    hash bytea NOT NULL CONSTRAINT wallet_seals_hash_check CHECK (length(hash) = 32),
    marks bytea NOT NULL
      CONSTRAINT wallet_seals_marks_check CHECK (length(marks) BETWEEN 8 AND 8000 AND length(marks) % 8 = 0),
    CONSTRAINT wallet_seals_pkey PRIMARY KEY (wallet_id, upto_seq),
    CONSTRAINT wallet_seals_entry_fkey FOREIGN KEY (wallet_id, upto_seq) REFERENCES ledger_entries (wallet_id, seq)
  );
  CREATE INDEX wallet_seals_root_idx ON wallet_seals (root_number, wallet_id, upto_seq);

  CREATE TABLE ledger_checks (
    singleton boolean
      CONSTRAINT ledger_checks_pkey PRIMARY KEY DEFAULT true
      CONSTRAINT ledger_checks_one_row_check CHECK (singleton),
    checked_at timestamptz NOT NULL,
    wallets bigint NOT NULL,
    entries bigint NOT NULL,
    problems bigint NOT NULL
  );`,
};
