import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Earnings of a user pay the user's debt first. New functions only, so it is safe on a live platform: a process of the release before goes on without them, and the next
 * booking of this release pays the debts that it left.
 */
export class EarningsPayDebts1764682000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PAY_DEBT);
    await runner.query(BOOK_EARNINGS);
    await runner.query(OWE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION ledger_owe, ledger_book_earnings, ledger_pay_debt, ledger_lock_wallets');
  }
}

/**
 * A transfer is two entries of the kind `earnings_to_debt`, out of the earnings and into the user's wallet, where `ledger_save` pays the debt with it. The wallets
 * themselves say what is left to pay, so a second call moves nothing.
 */
const PAY_DEBT = `
  -- All wallets of the owner of this one, in the order of their ids, as everything that locks several does.
  CREATE FUNCTION ledger_lock_wallets(p_wallet bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM wallets o WHERE o.user_id = (SELECT user_id FROM wallets WHERE id = p_wallet) ORDER BY o.id FOR NO KEY UPDATE;
  END $$;

  -- Pays the debt of the owner of this wallet with what they have earned, as far as it is booked. Returns the debt that is left.
  CREATE FUNCTION ledger_pay_debt(p_wallet bigint) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    most CONSTANT bigint := 1000000000000;
    user_wallet bigint;
    earnings bigint;
    w wallets;
    e wallets;
    part bigint;
    t record;
  BEGIN
    PERFORM ledger_lock_wallets(p_wallet);
    SELECT o.id INTO user_wallet FROM wallets p JOIN wallets o ON o.user_id = p.user_id AND o.kind = 'user' WHERE p.id = p_wallet AND o.debt > 0;
    IF user_wallet IS NULL THEN RETURN 0; END IF;
    SELECT o.id INTO earnings FROM wallets p JOIN wallets o ON o.user_id = p.user_id AND o.kind = 'earnings' WHERE p.id = p_wallet;
    LOOP
      w := ledger_open(user_wallet);
      IF earnings IS NULL OR w.debt = 0 OR w.closed_at IS NOT NULL THEN RETURN w.debt; END IF;
      e := ledger_open(earnings);
      part := CASE WHEN e.closed_at IS NULL THEN least(w.debt, e.balance - e.held - e.debt, most) ELSE 0 END;
      IF part <= 0 THEN RETURN w.debt; END IF;
      t := wallet_lots_take(e.lots, part);
      e.lots := t.rest;
      PERFORM ledger_save(ledger_enter_own(e, -part, t.taken, 'earnings_to_debt', 'debt'));
      w.lots := wallet_lots_add(w.lots, t.taken);
      PERFORM ledger_save(ledger_enter_own(w, part, t.taken, 'earnings_to_debt', 'debt'));
    END LOOP;
  END $$`;

const BOOK_EARNINGS = `
  -- As ledger_book_commissions, and what is booked pays the developer's debt.
  CREATE FUNCTION ledger_book_earnings(p_wallet bigint, p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    booked integer;
  BEGIN
    PERFORM ledger_lock_wallets(p_wallet);
    booked := ledger_book_commissions(p_wallet, p_limit);
    PERFORM ledger_pay_debt(p_wallet);
    RETURN booked;
  END $$`;

const OWE = `
  -- As ledger_debit of what has happened already: the debt that it leaves is paid with earnings at once.
  CREATE FUNCTION ledger_owe(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_lock_wallets(p_wallet);
    RETURN QUERY SELECT * FROM ledger_debit(p_wallet, p_items);
    PERFORM ledger_pay_debt(p_wallet);
  END $$`;
