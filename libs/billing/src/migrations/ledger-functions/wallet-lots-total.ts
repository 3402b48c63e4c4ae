/** PL/pgSQL, because PostgreSQL parses a function in SQL again each time that it checks a row. */
export const walletLotsTotal = `
  CREATE FUNCTION wallet_lots_total(lots jsonb) RETURNS bigint LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    total bigint := 0;
  BEGIN
    FOR i IN 0 .. jsonb_array_length(lots) - 1 LOOP total := total + coalesce((lots -> i ->> 'amount')::bigint, 0); END LOOP;
    RETURN total;
  END $$`;
