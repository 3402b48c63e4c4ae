import type { MigrationInterface, QueryRunner } from 'typeorm';

const CONSTRAINTS: Record<string, string> = {
  payments_plan_check: `CHECK (num_nonnulls(subscription_id, plan_id, plan_version, period_number) = CASE WHEN purpose IN ('topup', 'auto_topup') THEN 0 ELSE 4 END)`,
  payments_topup_check: `CHECK (purpose NOT IN ('topup', 'auto_topup') OR credits > 0)`,
  payments_card_check: 'CHECK (NOT is_off_session OR payment_method_id IS NOT NULL)',
  payments_completed_check: `CHECK ((completed_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'canceled')))`,
  payments_subscription_fkey: 'FOREIGN KEY (subscription_id) REFERENCES subscriptions',
  payments_plan_fkey: 'FOREIGN KEY (plan_id, plan_version) REFERENCES plans (id, version)',
};

/**
 * The database itself refuses a payment whose columns do not fit together, another amount than was asked for, and a status that would take back what was paid.
 * Safe on a live table: the constraints hold for new rows at once, and those that are there are looked at afterwards, while others read and write. The release
 * before writes nothing that is refused. Run again after a failure it begins anew.
 */
export class PaymentsStay1764650000600 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const added = Object.entries(CONSTRAINTS).map(([name, what]) => `ADD CONSTRAINT ${name} ${what} NOT VALID`);
    // One text is one transaction.
    await runner.query(`${REMOVE}; ALTER TABLE payments ${added.join(', ')}; ${REFUSE_CHANGE}`);
    for (const name of Object.keys(CONSTRAINTS)) await runner.query(`ALTER TABLE payments VALIDATE CONSTRAINT ${name}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(REMOVE);
  }
}

const REMOVE = `
  ALTER TABLE payments ${Object.keys(CONSTRAINTS)
    .map((name) => `DROP CONSTRAINT IF EXISTS ${name}`)
    .join(', ')};
  DROP TRIGGER IF EXISTS payments_refuse_truncate ON payments;
  DROP TRIGGER IF EXISTS payments_refuse_change ON payments;
  DROP FUNCTION IF EXISTS payments_refuse_change`;

/**
 * After the change, not before: a trigger before it has PostgreSQL lock the row as for a change of its key, where the statement names a column of one, and who waits for a
 * payment while something of theirs refers to it would be a deadlock.
 *
 * The scope of a payment changes once, where another of the same thing was paid before it; its subscription, where the one that it is of has ended, when it is
 * paid.
 */
const REFUSE_CHANGE = `
  CREATE FUNCTION payments_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'payments are never removed' USING ERRCODE = 'restrict_violation'; END IF;
    IF (OLD.id, OLD.tenant_id, OLD.user_id, OLD.purpose, OLD.attempt, OLD.amount_cents, OLD.currency, OLD.credits, OLD.is_live, OLD.is_off_session, OLD.plan_id, OLD.plan_version)
        IS DISTINCT FROM (NEW.id, NEW.tenant_id, NEW.user_id, NEW.purpose, NEW.attempt, NEW.amount_cents, NEW.currency, NEW.credits, NEW.is_live, NEW.is_off_session, NEW.plan_id,
          NEW.plan_version)
      OR NEW.scope NOT IN (OLD.scope, 'again:' || OLD.id)
      OR OLD.provider_intent_id IS NOT NULL AND NEW.provider_intent_id IS DISTINCT FROM OLD.provider_intent_id
      OR NEW.request_id IS NOT NULL AND NEW.request_id IS DISTINCT FROM OLD.request_id
      OR OLD.status = 'succeeded' AND NEW.status <> 'succeeded'
      OR OLD.status IN ('failed', 'canceled') AND NEW.status NOT IN (OLD.status, 'succeeded') THEN
      RAISE EXCEPTION 'a payment stays what it is' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER payments_refuse_change AFTER UPDATE OR DELETE ON payments FOR EACH ROW EXECUTE FUNCTION payments_refuse_change();
  CREATE TRIGGER payments_refuse_truncate BEFORE TRUNCATE ON payments EXECUTE FUNCTION refuse_change()`;
