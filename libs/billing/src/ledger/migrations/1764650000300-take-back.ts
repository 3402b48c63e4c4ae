import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Credits whose money goes back are taken back, and given back where the money stays after all. Functions only, so it is safe on a live platform: nothing of the
 * release before calls them.
 */
export class TakeBack1764650000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOTS);
    await runner.query(TAKE_BACK);
    await runner.query(GIVE_BACK);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION ledger_give_back, ledger_take_back, ledger_taken_back, wallet_lots_take_of');
  }
}

const LOTS = `
  -- As wallet_lots_take, but first those of this source that earn, then its others, then all others in the order of spending.
  CREATE FUNCTION wallet_lots_take_of(lots jsonb, wanted bigint, source text, OUT taken jsonb, OUT rest jsonb) LANGUAGE sql IMMUTABLE AS $$
    WITH lot AS (
      SELECT lot, n, (lot ->> 'amount')::bigint AS has,
        sum((lot ->> 'amount')::bigint) OVER (ORDER BY lot ->> 'source' = wallet_lots_take_of.source DESC,
          lot ->> 'source' = wallet_lots_take_of.source AND (lot ->> 'earns')::boolean DESC, n) AS upto
      FROM jsonb_array_elements(lots) WITH ORDINALITY AS l (lot, n)
    ), part AS (
      SELECT lot, n, has, greatest(least(has, wanted - (upto - has)), 0)::bigint AS part FROM lot
    )
    SELECT coalesce(jsonb_agg(jsonb_set(lot, '{amount}', to_jsonb(part)) ORDER BY n) FILTER (WHERE part > 0), '[]'),
      coalesce(jsonb_agg(jsonb_set(lot, '{amount}', to_jsonb(has - part)) ORDER BY n) FILTER (WHERE has > part), '[]')
    FROM part $$`;

/**
 * Takes what a payment had brought. What the wallet lacks is taken from what its user has earned; what is missing then is a debt. What is held stays. `amount` of the
 * answer is what was taken of both wallets; what it lacks of what was wanted is the debt.
 */
const TAKE_BACK = `
  -- What was done by this key, in all: of the wallet, of the earnings, and as a debt; no row where there is nothing.
  CREATE FUNCTION ledger_taken_back(p_user text, p_key text, OUT kind text, OUT taken bigint, OUT earned bigint, OUT owed bigint, OUT is_theirs boolean)
  RETURNS SETOF record LANGUAGE sql STABLE AS $$
    SELECT min(one.kind), coalesce(sum(amount) FILTER (WHERE what = 'taken'), 0)::bigint, coalesce(sum(amount) FILTER (WHERE what = 'earned'), 0)::bigint,
      coalesce(sum(amount) FILTER (WHERE what = 'owed'), 0)::bigint, bool_and(w.user_id = p_user)
    FROM (
      SELECT 'taken' AS what, e.kind, -e.amount AS amount, e.wallet_id FROM ledger_entries e WHERE e.idem_key = p_key
      UNION ALL SELECT 'earned', e.kind, -e.amount, e.wallet_id FROM ledger_entries e WHERE e.idem_key = p_key || ':earnings'
      UNION ALL SELECT 'owed', d.kind, d.amount, d.wallet_id FROM ledger_debts d WHERE d.idem_key = p_key
    ) AS one JOIN wallets w ON w.id = one.wallet_id HAVING count(*) > 0 $$;

  CREATE FUNCTION ledger_take_back(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets;
    e wallets;
    earnings bigint;
    item jsonb;
    wanted bigint;
    paid bigint;
    earned bigint;
    known record;
    t record;
  BEGIN
    -- Both wallets of the user, in the order of their ids, as whoever locks several does.
    PERFORM 1 FROM wallets o WHERE o.user_id = (SELECT user_id FROM wallets WHERE id = p_wallet) ORDER BY o.id FOR NO KEY UPDATE;
    w := ledger_open(p_wallet);
    IF w.kind <> 'user' THEN RAISE EXCEPTION 'nothing that was bought is in wallet %', p_wallet; END IF;
    SELECT id INTO earnings FROM wallets WHERE user_id = w.user_id AND kind = 'earnings';
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      wanted := ledger_amount(item);
      SELECT * INTO known FROM ledger_taken_back(w.user_id, item ->> 'key');
      IF FOUND THEN
        IF known.is_theirs AND known.kind = item ->> 'kind' AND known.taken + known.earned + known.owed = wanted THEN
          RETURN NEXT ledger_answer(w, 'replayed', NULL, -(known.taken + known.earned));
        ELSE
          RETURN NEXT ledger_answer(w, 'key_reused');
        END IF;
        CONTINUE;
      ELSIF w.closed_at IS NOT NULL THEN
        RETURN NEXT ledger_answer(w, 'closed');
        CONTINUE;
      END IF;
      IF w.balance - w.held < wanted THEN w := ledger_unhold_expired(w); END IF;
      paid := least(wanted, w.balance - w.held);
      earned := 0;
      IF paid < wanted AND earnings IS NOT NULL THEN
        WHILE ledger_book_commissions(earnings, 1000) = 1000 LOOP END LOOP;
        e := ledger_open(earnings);
        earned := CASE WHEN e.closed_at IS NULL THEN least(wanted - paid, greatest(e.balance - e.held - e.debt, 0)) ELSE 0 END;
        IF earned > 0 THEN
          t := wallet_lots_take(e.lots, earned);
          e.lots := t.rest;
          e := ledger_enter(e, -earned, t.taken, item || jsonb_build_object('key', (item ->> 'key') || ':earnings'));
        END IF;
        PERFORM ledger_save(e);
      END IF;
      IF paid > 0 THEN
        t := wallet_lots_take_of(w.lots, paid, item ->> 'source');
        w.lots := t.rest;
        w := ledger_enter(w, -paid, t.taken, item);
      END IF;
      IF paid + earned < wanted THEN
        INSERT INTO ledger_debts (idem_key, wallet_id, amount, kind, ref, at)
        VALUES (item ->> 'key', w.id, wanted - paid - earned, item ->> 'kind', item ->> 'ref', w.updated_at);
        w.debt := w.debt + wanted - paid - earned;
      END IF;
      RETURN NEXT ledger_answer(w, 'done', CASE WHEN paid > 0 THEN w.seq END, -(paid + earned), w.balance);
    END LOOP;
    PERFORM ledger_save(w);
  END $$`;

/**
 * Undoes a taking back, all of it: lots and earnings are again as they were, and what had become a debt comes as credits, which pay the debt first where it is not
 * paid yet. Developers earn nothing of those: they have earned when the first were spent. Its keys are made of that of the taking back, so it happens once.
 */
const GIVE_BACK = `
  CREATE FUNCTION ledger_give_back(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets;
    e wallets;
    item jsonb;
    key text;
    known record;
    entry ledger_entries;
    lot jsonb;
  BEGIN
    PERFORM 1 FROM wallets o WHERE o.user_id = (SELECT user_id FROM wallets WHERE id = p_wallet) ORDER BY o.id FOR NO KEY UPDATE;
    w := ledger_open(p_wallet);
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      key := (item ->> 'reverses') || ':returned';
      SELECT * INTO known FROM ledger_taken_back(w.user_id, item ->> 'reverses');
      IF NOT FOUND OR NOT known.is_theirs OR known.kind <> item ->> 'kind' THEN
        RETURN NEXT ledger_answer(w, 'not_reversible');
        CONTINUE;
      ELSIF EXISTS (SELECT FROM ledger_entries WHERE idem_key IN (key, key || ':earnings', key || ':debt')) THEN
        RETURN NEXT ledger_answer(w, 'replayed', NULL, known.taken + known.earned + known.owed);
        CONTINUE;
      ELSIF w.closed_at IS NOT NULL THEN
        RETURN NEXT ledger_answer(w, 'closed');
        CONTINUE;
      END IF;
      IF known.earned > 0 THEN
        SELECT * INTO entry FROM ledger_entries WHERE idem_key = (item ->> 'reverses') || ':earnings';
        e := ledger_open(entry.wallet_id);
        IF e.closed_at IS NULL THEN
          e.lots := wallet_lots_add(e.lots, entry.lots);
          e := ledger_enter(e, known.earned, entry.lots, item || jsonb_build_object('key', key || ':earnings', 'counter', entry.counter),
            entry.seq);
        END IF;
        PERFORM ledger_save(e);
      END IF;
      IF known.taken > 0 THEN
        SELECT * INTO entry FROM ledger_entries WHERE idem_key = item ->> 'reverses';
        w.lots := wallet_lots_add(w.lots, entry.lots);
        w := ledger_enter(w, known.taken, entry.lots, item || jsonb_build_object('key', key, 'counter', entry.counter), entry.seq);
        w.next_expiry := least(w.next_expiry, (SELECT min((l ->> 'expires_at')::timestamptz) FROM jsonb_array_elements(entry.lots) AS l));
      END IF;
      IF known.owed > 0 THEN
        lot := jsonb_build_array(jsonb_build_object('source', 'refund', 'priority', (item ->> 'priority')::int, 'expires_at', NULL, 'earns', false,
          'amount', known.owed));
        w.lots := wallet_lots_add(w.lots, lot);
        w := ledger_enter(w, known.owed, lot, item || jsonb_build_object('key', key || ':debt'));
      END IF;
      RETURN NEXT ledger_answer(w, 'done', w.seq, known.taken + known.earned + known.owed, w.balance);
    END LOOP;
    PERFORM ledger_save(w);
  END $$`;
