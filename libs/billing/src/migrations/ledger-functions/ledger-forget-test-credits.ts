/**
 * Takes the credits of test payments that are left in a wallet. Returns how many credits stay,
 * because calls hold them.
 */
export const ledgerForgetTestCredits = `
  CREATE FUNCTION ledger_forget_test_credits(p_wallet bigint) RETURNS bigint LANGUAGE plpgsql SET TimeZone TO 'UTC' AS $$
  DECLARE
    w wallets;
    one record;
    part bigint;
    stays bigint := 0;
    t record;
  BEGIN
    PERFORM ledger_sweep(p_wallet);
    w := ledger_open(p_wallet);
    IF w.kind <> 'user' THEN RAISE EXCEPTION 'nothing that was bought is in wallet %', p_wallet; END IF;
    FOR one IN
      SELECT s.source, greatest(0, least(p.of_tests, l.has - p.of_real))::bigint AS wanted
      FROM (VALUES ('topup'), ('plan')) AS s (source), LATERAL (
        SELECT coalesce(sum(g.brought) FILTER (WHERE NOT p.is_live AND p.forgotten_at IS NULL), 0) AS of_tests,
          coalesce(sum(g.brought - g.gone) FILTER (WHERE p.is_live AND (s.source = 'topup' OR p.completed_at > now() - interval '31 days')), 0) AS of_real
        FROM payments p, LATERAL (
          -- The payment of a renewal has no credits: the plan has their number.
          SELECT CASE WHEN p.purpose = 'renewal' THEN (SELECT l.included_tokens FROM plans l WHERE l.id = p.plan_id AND l.version = p.plan_version) ELSE p.credits END AS brought,
            coalesce((SELECT sum(r.credits) FROM payment_refunds r WHERE r.payment_id = p.id), 0)
            + coalesce((SELECT sum(d.credits) FROM payment_disputes d WHERE d.payment_id = p.id), 0) AS gone
        ) AS g
        WHERE p.user_id = w.user_id AND p.status = 'succeeded' AND (p.subscription_id IS NULL) = (s.source = 'topup')
      ) AS p, LATERAL (
        SELECT coalesce(sum((lot ->> 'amount')::bigint), 0) AS has FROM jsonb_array_elements(w.lots) AS lot
        WHERE lot ->> 'source' = s.source AND (lot ->> 'earns')::boolean
      ) AS l
    LOOP
      part := least(one.wanted, w.balance - w.held);
      stays := stays + one.wanted - part;
      CONTINUE WHEN part <= 0;
      t := wallet_lots_take_of(w.lots, part, one.source);
      w.lots := t.rest;
      w := ledger_enter_own(w, -part, t.taken, 'test_credits', 'adjust');
    END LOOP;
    PERFORM ledger_save(w);
    RETURN stays;
  END $$`;
