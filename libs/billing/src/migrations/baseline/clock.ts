import type { SchemaPart } from '@platform/persistence';

/** The clock of billing, which tests can move. */
export const clockPart: SchemaPart = {
  tables: `
  CREATE TABLE billing_clock (
    singleton boolean PRIMARY KEY DEFAULT true CONSTRAINT billing_clock_one_row_check CHECK (singleton),
    ahead interval NOT NULL DEFAULT '00:00:00',
    -- A gateway in production fixes the clock: its time never moves again.
    is_fixed boolean NOT NULL DEFAULT false,
    CONSTRAINT billing_clock_fixed_check CHECK (NOT is_fixed OR ahead = '0')
  );

  CREATE FUNCTION billing_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT now() + ahead FROM billing_clock $$;`,
  rows: 'INSERT INTO billing_clock DEFAULT VALUES',
};
