import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A firing whose action was called too often for too long ends as `limited`, which is no failure of its rule. The new checks allow all that
 * the old ones did, and are checked for new rows only, so this takes no time; `1764410001010` checks the others.
 */
export class LimitedFires1764410001000 implements MigrationInterface {
  name = 'LimitedFires1764410001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE automation_fires
        DROP CONSTRAINT automation_fires_status_check,
        DROP CONSTRAINT automation_fires_error_check,
        ADD CONSTRAINT automation_fires_status_check CHECK (status IN ('pending', 'success', 'failed', 'limited')) NOT VALID,
        ADD CONSTRAINT automation_fires_error_check CHECK ((status IN ('failed', 'limited')) = (error IS NOT NULL)) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE automation_fires SET status = 'failed' WHERE status = 'limited';
      ALTER TABLE automation_fires
        DROP CONSTRAINT automation_fires_status_check,
        DROP CONSTRAINT automation_fires_error_check,
        ADD CONSTRAINT automation_fires_status_check CHECK (status IN ('pending', 'success', 'failed')),
        ADD CONSTRAINT automation_fires_error_check CHECK ((status = 'failed') = (error IS NOT NULL))`);
  }
}
