/**
 * Reserves credits: no other movement can spend them until they are settled or released, or the
 * hold expires.
 */
export const ledgerHold = `
  CREATE FUNCTION ledger_hold(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    wanted bigint;
    held_until timestamptz;
    there record;
    h wallet_holds;
    limits spending_limits;
    this_month date := date_trunc('month', w.updated_at AT TIME ZONE 'UTC');
    spending_class text;
    may_spend bigint;
    has_spent bigint;
  BEGIN
    IF w.kind <> 'user' THEN RAISE EXCEPTION 'wallet % pays for no calls', p_wallet; END IF;
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      wanted := ledger_amount(item);
      held_until := w.updated_at + (item ->> 'seconds')::int * interval '1 second';
      spending_class := item ->> 'spending_class';
      SELECT (SELECT wallet_holds FROM wallet_holds WHERE id = item ->> 'id') AS hold,
        EXISTS (SELECT FROM ledger_entries WHERE idem_key = coalesce(item ->> 'paid_by', item ->> 'id')) AS is_paid INTO there;
      h := there.hold;
      IF there.is_paid THEN
        RETURN NEXT ledger_answer(w, 'paid');
        CONTINUE;
      ELSIF h.wallet_id <> w.id THEN
        RETURN NEXT ledger_answer(w, 'key_reused');
        CONTINUE;
      ELSIF h.expires_at > w.updated_at THEN
        IF h.amount = wanted THEN
          UPDATE wallet_holds SET expires_at = held_until WHERE id = h.id;
          RETURN NEXT ledger_answer(w, 'done', NULL, wanted);
        ELSE
          RETURN NEXT ledger_answer(w, 'key_reused');
        END IF;
        CONTINUE;
      ELSIF h.id IS NOT NULL THEN
        w := ledger_unhold(w, h, 0);
      END IF;
      IF w.balance - w.held < wanted THEN w := ledger_unhold_expired(w); END IF;
      IF w.closed_at IS NOT NULL OR w.debt > 0 OR w.balance - w.held < wanted THEN
        RETURN NEXT ledger_answer(w, CASE WHEN w.closed_at IS NOT NULL THEN 'closed' WHEN w.debt > 0 THEN 'in_debt' ELSE 'insufficient' END);
        CONTINUE;
      END IF;
      IF spending_class IS NOT NULL THEN
        SELECT * INTO limits FROM spending_limits WHERE user_id = w.user_id;
        may_spend := CASE WHEN limits.user_id IS NOT NULL
          THEN CASE spending_class WHEN 'unattended' THEN limits.unattended ELSE limits.other_apps END
          ELSE (item ->> 'default_limit')::bigint END;
        SELECT s.spent INTO has_spent FROM spending s WHERE s.wallet_id = w.id AND s.month = this_month AND s.class = spending_class;
        IF coalesce(has_spent, 0) + wanted > may_spend THEN
          RETURN NEXT ('spending_limit', NULL, NULL, NULL, greatest(may_spend - coalesce(has_spent, 0), 0), NULL)::ledger_outcome;
          CONTINUE;
        END IF;
        INSERT INTO spending AS s (wallet_id, month, class, spent) VALUES (w.id, this_month, spending_class, wanted)
        ON CONFLICT (wallet_id, month, class) DO UPDATE SET spent = s.spent + EXCLUDED.spent;
      END IF;
      INSERT INTO wallet_holds (id, wallet_id, amount, spending_class, spending_month, created_at, expires_at) VALUES (item ->> 'id', w.id, wanted,
        spending_class, CASE WHEN spending_class IS NOT NULL THEN this_month END, w.updated_at, held_until);
      w.held := w.held + wanted;
      RETURN NEXT ledger_answer(w, 'done', NULL, wanted);
    END LOOP;
    PERFORM ledger_save(w);
  END $$`;
