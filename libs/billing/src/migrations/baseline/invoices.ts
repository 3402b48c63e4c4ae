import type { SchemaPart } from '@platform/persistence';

/** Invoices and billing profiles. */
export const invoicesPart: SchemaPart = {
  tables: `
  CREATE TABLE billing_profiles (
    user_id text PRIMARY KEY CONSTRAINT billing_profiles_user_fkey REFERENCES users,
    tenant_id text NOT NULL CONSTRAINT billing_profiles_tenant_fkey REFERENCES tenants,
    name text,
    company text,
    vat text,
    country text CONSTRAINT billing_profiles_country_check CHECK (country ~ '^[A-Z]{2}$'),
    revision integer NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX billing_profiles_tenant_idx ON billing_profiles (tenant_id);

  CREATE TABLE invoice_counters (
    series text,
    year integer,
    last integer NOT NULL CONSTRAINT invoice_counters_last_check CHECK (last >= 1),
    issued_at timestamptz NOT NULL,
    CONSTRAINT invoice_counters_pkey PRIMARY KEY (series, year)
  );

  CREATE TABLE invoices (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT invoices_tenant_fkey REFERENCES tenants,
    user_id text NOT NULL CONSTRAINT invoices_user_fkey REFERENCES users,
    kind text NOT NULL CONSTRAINT invoices_kind_check CHECK (kind IN ('invoice', 'credit_note')),
    series text NOT NULL,
    year integer NOT NULL,
    serial integer NOT NULL CONSTRAINT invoices_serial_check CHECK (serial >= 1),
    previous_serial integer,
    number text NOT NULL CONSTRAINT invoices_number_key UNIQUE,
    payment_id text NOT NULL CONSTRAINT invoices_payment_fkey REFERENCES payments,
    payment_intent_id text NOT NULL,
    refund_id text CONSTRAINT invoices_refund_key UNIQUE CONSTRAINT invoices_refund_fkey REFERENCES payment_refunds,
    invoice_id text CONSTRAINT invoices_invoice_fkey REFERENCES invoices,
    seller text NOT NULL,
    buyer jsonb NOT NULL,
    lines jsonb NOT NULL,
    subtotal_cents integer NOT NULL,
    tax_cents integer NOT NULL DEFAULT 0,
    total_cents integer NOT NULL,
    currency text NOT NULL,
    issued_at timestamptz NOT NULL,
    CONSTRAINT invoices_previous_check CHECK (previous_serial IS NOT DISTINCT FROM nullif(serial - 1, 0)),
    CONSTRAINT invoices_total_check CHECK (subtotal_cents >= 1 AND tax_cents >= 0 AND total_cents = subtotal_cents +
      tax_cents),
    CONSTRAINT invoices_credit_note_check CHECK (num_nonnulls(refund_id, invoice_id) = CASE kind WHEN 'credit_note'
      THEN 2 ELSE 0 END),
    CONSTRAINT invoices_serial_key UNIQUE (series, year, serial),
    CONSTRAINT invoices_previous_fkey FOREIGN KEY (series, year, previous_serial) REFERENCES invoices (series, year,
      serial)
  );
  CREATE UNIQUE INDEX invoices_payment_key ON invoices (payment_id) WHERE kind = 'invoice';
  CREATE INDEX invoices_invoice_idx ON invoices (invoice_id) WHERE invoice_id IS NOT NULL;
  CREATE INDEX invoices_user_idx ON invoices (user_id, issued_at, serial);
  CREATE INDEX invoices_tenant_idx ON invoices (tenant_id);
  CREATE INDEX invoices_payment_idx ON invoices (payment_id);`,
};
