export const ledgerAmount = `
  CREATE FUNCTION ledger_amount(item jsonb) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    amount bigint := item ->> 'amount';
  BEGIN
    IF amount BETWEEN 1 AND 1000000000000 THEN RETURN amount; END IF;
    RAISE EXCEPTION 'an amount of % credits', amount USING ERRCODE = 'numeric_value_out_of_range';
  END $$`;
