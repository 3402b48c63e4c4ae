export const billingNow = `
  CREATE FUNCTION billing_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT now() + ahead FROM billing_clock $$`;
