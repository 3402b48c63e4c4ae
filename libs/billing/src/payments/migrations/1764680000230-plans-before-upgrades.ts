import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which plan the price of a change to a larger plan counts from. It is not given when the plan is another by the time it is paid. Safe on a live platform: columns
 * without a default, and a check that is validated while others read and write. A payment of the release before has no such plan: when it is paid later, its money
 * goes back. Run again after a failure it begins anew.
 */
export class PlansBeforeUpgrades1764680000230 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // PostgreSQL runs the statements of one text in one transaction.
    await runner.query(`
      ${REMOVE};
      ALTER TABLE payments ADD COLUMN from_plan_id text, ADD COLUMN from_plan_version integer;
      ALTER TABLE payments ADD CONSTRAINT payments_from_plan_check
        CHECK (num_nonnulls(from_plan_id, from_plan_version) IN (0, CASE WHEN purpose = 'upgrade' THEN 2 ELSE 0 END)) NOT VALID;
      CREATE TRIGGER payments_from_plan_stays AFTER UPDATE ON payments FOR EACH ROW
        WHEN ((OLD.from_plan_id, OLD.from_plan_version) IS DISTINCT FROM (NEW.from_plan_id, NEW.from_plan_version)) EXECUTE FUNCTION refuse_change()`);
    await runner.query('ALTER TABLE payments VALIDATE CONSTRAINT payments_from_plan_check');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(REMOVE);
  }
}

const REMOVE = `
  DROP TRIGGER IF EXISTS payments_from_plan_stays ON payments;
  ALTER TABLE payments DROP COLUMN IF EXISTS from_plan_id, DROP COLUMN IF EXISTS from_plan_version`;
