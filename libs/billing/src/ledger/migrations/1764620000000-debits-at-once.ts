import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Many debits of a wallet as one INSERT, where nothing stands in the way of any of them; before, each was a statement of its own within the
 * function. Functions only, so it is safe on a live platform: a process of the release before calls the same function with the same answers.
 */
export class DebitsAtOnce1764620000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PLAIN);
    await runner.query(debitFunction(TRY_PLAIN));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(debitFunction(''));
    await runner.query('DROP FUNCTION ledger_debit_plain');
  }
}

/**
 * Makes all of these debits, and returns what each has come to, where all are plain: none is known, refused or becomes a debt, and the first
 * lot pays for all and is not used up. Else it makes none and returns no rows. `w` is a wallet that the transaction has locked.
 */
const PLAIN = `
  CREATE FUNCTION ledger_debit_plain(w wallets, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    lot jsonb := w.lots -> 0;
    lot_earns boolean := (lot ->> 'earns')::boolean;
    total numeric;
    is_plain boolean;
  BEGIN
    IF w.closed_at IS NOT NULL OR w.debt > 0 THEN RETURN; END IF;
    SELECT sum(amount), bool_and(amount BETWEEN 1 AND 1000000000000) AND count(DISTINCT key) = count(*)
      AND NOT EXISTS (SELECT FROM ledger_entries e WHERE e.idem_key = ANY (array_agg(key)))
      AND NOT EXISTS (SELECT FROM ledger_debts d WHERE d.idem_key = ANY (array_agg(key)))
    INTO total, is_plain FROM jsonb_to_recordset(p_items) AS item (key text, amount bigint);
    IF is_plain IS NOT TRUE OR total > w.balance - w.held OR total >= (lot ->> 'amount')::bigint THEN RETURN; END IF;
    RETURN QUERY
      WITH items AS (
        SELECT item.*, coalesce(w.seq, 0) + n AS seq, (w.balance - sum(amount) OVER (ORDER BY n))::bigint AS balance_after,
          CASE WHEN lot_earns AND developer_id IS NOT NULL THEN coalesce(base, amount) ELSE 0 END AS earned_base
        FROM ROWS FROM (jsonb_to_recordset(p_items) AS (key text, amount bigint, kind text, counter text, base bigint, split integer, app_id text,
          function text, price_version integer, developer_id text, ref text, description text)) WITH ORDINALITY AS item (key, amount, kind, counter,
          base, split, app_id, function, price_version, developer_id, ref, description, n)
      ), made AS (
        INSERT INTO ledger_entries AS e (wallet_id, seq, prev_seq, kind, counter, amount, balance_before, balance_after, lots, idem_key, app_id,
          function, price_version, developer_id, earned_base, share, ref, description, at)
        SELECT w.id, seq, nullif(seq - 1, 0), kind, counter, -amount, balance_after + amount, balance_after,
          jsonb_build_array(jsonb_set(lot, '{amount}', to_jsonb(amount))), key, app_id, function, price_version, developer_id, earned_base,
          CASE WHEN earned_base = 0 THEN 0 ELSE div(earned_base::numeric * split, 100) END, ref, description, w.updated_at
        FROM items ORDER BY seq RETURNING e.seq, e.amount, e.balance_after, e.share, e.earned_base, e.developer_id
      ), due AS (
        INSERT INTO commission_due (wallet_id, seq, developer_id) SELECT w.id, seq, developer_id FROM made WHERE earned_base > 0
      )
      SELECT 'done', seq, amount, balance_after, balance_after - w.held, share FROM made ORDER BY seq;
    w.lots := jsonb_set(w.lots, '{0,amount}', to_jsonb((lot ->> 'amount')::bigint - total));
    w.balance := w.balance - total;
    w.seq := coalesce(w.seq, 0) + jsonb_array_length(p_items);
    PERFORM ledger_save(w);
  END $$`;

/** For a single debit the loop is as quick. */
const TRY_PLAIN = `
    IF jsonb_array_length(p_items) > 1 THEN
      RETURN QUERY SELECT * FROM ledger_debit_plain(w, p_items);
      IF FOUND THEN RETURN; END IF;
    END IF;`;

const debitFunction = (first: string): string => `
  CREATE OR REPLACE FUNCTION ledger_debit(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    wanted bigint;
    paid bigint;
    known ledger_outcome;
    t record;
  BEGIN${first}
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      wanted := ledger_amount(item);
      known := ledger_known(w, item, -wanted);
      IF known.outcome IS NOT NULL THEN
        RETURN NEXT known;
        CONTINUE;
      ELSIF w.closed_at IS NOT NULL THEN
        RETURN NEXT ledger_answer(w, 'closed');
        CONTINUE;
      END IF;
      IF w.balance - w.held < wanted THEN w := ledger_unhold_expired(w); END IF;
      paid := least(wanted, w.balance - w.held);
      IF item ->> 'shortfall' = 'debt' THEN
        IF paid < wanted THEN
          INSERT INTO ledger_debts (idem_key, wallet_id, amount, kind, app_id, ref, at)
          VALUES (item ->> 'key', w.id, wanted - paid, item ->> 'kind', item ->> 'app_id', item ->> 'ref', w.updated_at);
          w.debt := w.debt + wanted - paid;
        END IF;
      ELSIF w.debt > 0 OR paid < wanted THEN
        RETURN NEXT ledger_answer(w, CASE WHEN w.debt > 0 THEN 'in_debt' ELSE 'insufficient' END);
        CONTINUE;
      END IF;
      IF paid > 0 THEN
        t := ledger_take(w, paid, wanted, item);
        w := t.w;
        RETURN NEXT ledger_answer(w, 'done', w.seq, -paid, w.balance, t.share);
      ELSE
        RETURN NEXT ledger_answer(w, 'done', NULL, 0, w.balance);
      END IF;
    END LOOP;
    PERFORM ledger_save(w);
  END $$`;
