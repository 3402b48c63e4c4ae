import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Payments that were never paid may be removed half a year after they ended. Safe on a live table: indexes are built beside what is written, and the release
 * before removes no payment. Run again after a failure it begins anew.
 */
export class UnpaidPaymentsExpire1764684000000 implements MigrationInterface {
  name = 'UnpaidPaymentsExpire1764684000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${MAILS_REFER} ON DELETE CASCADE NOT VALID`);
    await runner.query('ALTER TABLE payment_mails VALIDATE CONSTRAINT payment_mails_payment_fkey');
    for (const [name, index] of INDEXES) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${index}`);
    }
    await runner.query(refuseChange(`OLD.status NOT IN ('failed', 'canceled') OR OLD.completed_at > now() - interval '180 days'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseChange('true'));
    for (const [name] of INDEXES) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
    await runner.query(`${MAILS_REFER} NOT VALID`);
    await runner.query('ALTER TABLE payment_mails VALIDATE CONSTRAINT payment_mails_payment_fkey');
  }
}

const MAILS_REFER = `
  ALTER TABLE payment_mails DROP CONSTRAINT payment_mails_payment_fkey,
    ADD CONSTRAINT payment_mails_payment_fkey FOREIGN KEY (payment_id) REFERENCES payments`;

/** The second one is for the check that no invoice names a payment that is removed. */
const INDEXES = [
  ['payments_unpaid_idx', `payments (completed_at) WHERE status IN ('failed', 'canceled')`],
  ['invoices_payment_idx', 'invoices (payment_id)'],
] as const;

const refuseChange = (isKept: string): string => `
  CREATE OR REPLACE FUNCTION payments_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      IF ${isKept} THEN RAISE EXCEPTION 'this payment may not be removed' USING ERRCODE = 'restrict_violation'; END IF;
      RETURN NULL;
    END IF;
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
  END $$`;
