export const walletLotsTake = `
  CREATE FUNCTION wallet_lots_take(lots jsonb, wanted bigint, OUT taken jsonb, OUT rest jsonb) LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    lot jsonb := lots -> 0;
    has bigint := (lot ->> 'amount')::bigint;
    part bigint;
    missing bigint := wanted;
  BEGIN
    IF has > wanted THEN
      taken := jsonb_build_array(jsonb_set(lot, '{amount}', to_jsonb(wanted)));
      rest := jsonb_set(lots, '{0,amount}', to_jsonb(has - wanted));
      RETURN;
    END IF;
    taken := '[]';
    rest := '[]';
    FOR i IN 0 .. jsonb_array_length(lots) - 1 LOOP
      lot := lots -> i;
      has := (lot ->> 'amount')::bigint;
      part := least(has, missing);
      missing := missing - part;
      IF part > 0 THEN taken := taken || jsonb_set(lot, '{amount}', to_jsonb(part)); END IF;
      IF has > part THEN rest := rest || jsonb_set(lot, '{amount}', to_jsonb(has - part)); END IF;
    END LOOP;
    IF missing > 0 THEN
      RAISE EXCEPTION 'the lots of a wallet have % credits less than are taken', missing USING ERRCODE = 'data_corrupted';
    END IF;
  END $$`;
