import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What becomes of refunds, and disputes. The database itself adds up what of a payment goes back, so that refunds never exceed it, whoever writes them. Safe on a
 * live platform: columns with constant defaults, and a new table. Readers of `payments` wait while its rows are summed up and checked, in the same transaction: few
 * rows, since no release before took payments. The release before writes refunds by the same
 * columns; it makes none that are counted wrongly, since the trigger counts.
 */
export class Refunds1764650000310 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments ADD COLUMN returning_cents integer NOT NULL DEFAULT 0;
      ALTER TABLE payment_refunds
        ADD COLUMN credits bigint NOT NULL DEFAULT 0 CONSTRAINT payment_refunds_credits_check CHECK (credits BETWEEN 0 AND 1000000000000),
        ADD COLUMN debt bigint NOT NULL DEFAULT 0 CONSTRAINT payment_refunds_debt_check CHECK (debt BETWEEN 0 AND credits),
        ADD COLUMN failure text,
        ADD COLUMN checked_at timestamptz NOT NULL DEFAULT now()`);
    await runner.query(SUMS);
    await runner.query(`
      UPDATE payments p SET returning_cents = r.cents FROM (
        SELECT payment_id, sum(amount_cents) AS cents FROM payment_refunds WHERE status <> 'failed' GROUP BY 1
      ) AS r WHERE r.payment_id = p.id;
      ALTER TABLE payments ADD CONSTRAINT payments_returning_check CHECK (returning_cents BETWEEN refunded_cents AND amount_cents) NOT VALID`);
    await runner.query('ALTER TABLE payments VALIDATE CONSTRAINT payments_returning_check');
    await runner.query(DISPUTES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE payment_disputes;
      DROP TRIGGER payment_refunds_count ON payment_refunds;
      DROP TRIGGER payment_refunds_refuse_truncate ON payment_refunds;
      DROP FUNCTION payment_refunds_count;
      ALTER TABLE payment_refunds DROP COLUMN credits, DROP COLUMN debt, DROP COLUMN failure, DROP COLUMN checked_at;
      ALTER TABLE payments DROP COLUMN returning_cents`);
  }
}

/** Payments carry what goes back of them, and what has gone back; checks of theirs say how much that may be. */
const SUMS = `
  CREATE FUNCTION payment_refunds_count() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    steps text[] := '{requested,pending,succeeded,failed}';
    -- Of the row before.
    was_returning integer := 0;
    was_refunded integer := 0;
  BEGIN
    IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'refunds are never removed' USING ERRCODE = 'restrict_violation'; END IF;
    IF TG_OP = 'UPDATE' THEN
      IF (OLD.id, OLD.payment_id, OLD.number, OLD.amount_cents, OLD.reason) IS DISTINCT FROM (NEW.id, NEW.payment_id, NEW.number, NEW.amount_cents, NEW.reason)
        OR OLD.provider_refund_id <> NEW.provider_refund_id OR NEW.provider_refund_id IS NULL AND OLD.provider_refund_id IS NOT NULL
        OR array_position(steps, NEW.status) < array_position(steps, OLD.status) THEN
        RAISE EXCEPTION 'a refund stays what it is' USING ERRCODE = 'restrict_violation';
      END IF;
      was_returning := CASE WHEN OLD.status <> 'failed' THEN OLD.amount_cents ELSE 0 END;
      was_refunded := CASE WHEN OLD.status = 'succeeded' THEN OLD.amount_cents ELSE 0 END;
      IF OLD.status = NEW.status THEN RETURN NULL; END IF;
    END IF;
    UPDATE payments SET
      returning_cents = returning_cents - was_returning + CASE WHEN NEW.status <> 'failed' THEN NEW.amount_cents ELSE 0 END,
      refunded_cents = refunded_cents - was_refunded + CASE WHEN NEW.status = 'succeeded' THEN NEW.amount_cents ELSE 0 END
    WHERE id = NEW.payment_id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER payment_refunds_count AFTER INSERT OR UPDATE OR DELETE ON payment_refunds FOR EACH ROW EXECUTE FUNCTION payment_refunds_count();
  CREATE TRIGGER payment_refunds_refuse_truncate BEFORE TRUNCATE ON payment_refunds EXECUTE FUNCTION refuse_change()`;

const DISPUTES = `
  CREATE TABLE payment_disputes (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT payment_disputes_tenant_fkey REFERENCES tenants,
    payment_id text NOT NULL CONSTRAINT payment_disputes_payment_fkey REFERENCES payments,
    provider_dispute_id text NOT NULL CONSTRAINT payment_disputes_provider_key UNIQUE,
    amount_cents integer NOT NULL CONSTRAINT payment_disputes_amount_check CHECK (amount_cents >= 1),
    status text NOT NULL CONSTRAINT payment_disputes_status_check CHECK (status IN ('warning_needs_response', 'warning_under_review', 'warning_closed',
      'needs_response', 'under_review', 'lost', 'won', 'prevented')),
    reason text NOT NULL,
    credits bigint NOT NULL DEFAULT 0 CONSTRAINT payment_disputes_credits_check CHECK (credits BETWEEN 0 AND 1000000000000),
    debt bigint NOT NULL DEFAULT 0 CONSTRAINT payment_disputes_debt_check CHECK (debt BETWEEN 0 AND credits),
    created_at timestamptz NOT NULL,
    taken_at timestamptz,
    returned_at timestamptz,
    closed_at timestamptz,
    CONSTRAINT payment_disputes_taken_check CHECK (taken_at IS NOT NULL OR (credits = 0 AND returned_at IS NULL))
  );
  CREATE INDEX payment_disputes_tenant_idx ON payment_disputes (tenant_id);
  CREATE INDEX payment_disputes_payment_idx ON payment_disputes (payment_id);
  CREATE TRIGGER payment_disputes_refuse_delete BEFORE DELETE ON payment_disputes FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER payment_disputes_refuse_truncate BEFORE TRUNCATE ON payment_disputes EXECUTE FUNCTION refuse_change()`;
