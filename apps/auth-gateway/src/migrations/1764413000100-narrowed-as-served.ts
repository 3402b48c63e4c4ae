import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A version reaches as far as the deploy that has it served, whichever release of the worker does it: one of the release before, which knows
 * nothing of narrowings, served what a key deploys as its developer's. Creating the trigger waits for the transactions that change deploys,
 * and is quick then. What such a worker has served meanwhile is narrowed by its last deploy.
 */
export class NarrowedAsServed1764413000100 implements MigrationInterface {
  name = 'NarrowedAsServed1764413000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION deploys_narrow_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE app_versions SET narrowing = NEW.narrowing
          WHERE app_id = NEW.app_id AND version = NEW.version AND narrowing IS DISTINCT FROM NEW.narrowing;
        RETURN NULL;
      END $$;
      CREATE TRIGGER deploys_narrow_version AFTER UPDATE OF status ON deploys FOR EACH ROW
        WHEN (OLD.status = 'syncing' AND NEW.status = 'success') EXECUTE FUNCTION deploys_narrow_version();
      UPDATE app_versions v SET narrowing = d.narrowing FROM deploys d
        WHERE d.app_id = v.app_id AND d.version = v.version AND v.narrowing IS NULL AND d.narrowing IS NOT NULL AND d.status = 'success'
          AND d.number = (SELECT max(l.number) FROM deploys l
            WHERE l.app_id = v.app_id AND l.version = v.version AND l.status = 'success' AND l.held_at IS NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER deploys_narrow_version ON deploys;
      DROP FUNCTION deploys_narrow_version`);
  }
}
