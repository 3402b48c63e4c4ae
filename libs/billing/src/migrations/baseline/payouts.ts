import type { SchemaPart } from '@platform/persistence';

/** Payouts of developers, and their destinations. */
export const payoutsPart: SchemaPart = {
  tables: `
  CREATE TABLE payouts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT payouts_tenant_fkey REFERENCES tenants,
    developer_id text NOT NULL CONSTRAINT payouts_developer_fkey REFERENCES users,
    amount_tokens bigint NOT NULL
      CONSTRAINT payouts_amount_check CHECK (amount_tokens BETWEEN 10000 AND 1000000000000 AND amount_tokens % 10 =
        0),
    usd_cents bigint NOT NULL CONSTRAINT payouts_usd_check CHECK (usd_cents > 0),
    status text NOT NULL DEFAULT 'pending'
      CONSTRAINT payouts_status_check CHECK (status IN ('pending', 'approved', 'paid', 'rejected')),
    method text NOT NULL DEFAULT 'manual',
    notes text,
    admin_note text,
    reference text,
    requested_at timestamptz NOT NULL DEFAULT billing_now(),
    processed_at timestamptz,
    request_id text CONSTRAINT payouts_request_id_key UNIQUE,
    destination_id text,
    CONSTRAINT payouts_processed_check CHECK ((processed_at IS NOT NULL) = (status IN ('paid', 'rejected'))),
    CONSTRAINT payouts_reference_check CHECK ((reference IS NOT NULL) = (status = 'paid'))
  );
  CREATE INDEX payouts_developer_idx ON payouts (developer_id, id);
  CREATE INDEX payouts_open_idx ON payouts (status, id) WHERE status IN ('pending', 'approved');
  CREATE INDEX payouts_destination_idx ON payouts (destination_id) WHERE destination_id IS NOT NULL;

  CREATE TABLE payout_destinations (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT payout_destinations_tenant_fkey REFERENCES tenants,
    user_id text NOT NULL CONSTRAINT payout_destinations_user_fkey REFERENCES users,
    method text NOT NULL CONSTRAINT payout_destinations_method_check CHECK (length(method) BETWEEN 1 AND 50),
    sealed_details text,
    created_at timestamptz NOT NULL DEFAULT now(),
    replaced_at timestamptz
  );
  CREATE UNIQUE INDEX payout_destinations_current_key ON payout_destinations (user_id) WHERE replaced_at IS NULL;
  CREATE INDEX payout_destinations_user_idx ON payout_destinations (user_id);
  CREATE INDEX payout_destinations_tenant_idx ON payout_destinations (tenant_id);

  ALTER TABLE payouts ADD CONSTRAINT payouts_destination_fkey FOREIGN KEY (destination_id)
    REFERENCES payout_destinations;`,
};
