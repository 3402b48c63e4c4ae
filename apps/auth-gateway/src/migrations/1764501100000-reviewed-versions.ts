import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A version of an app in the marketplace that asks for more than the one that is served waits for a review, and the one before is served
 * meanwhile. Its deploy waits, and says for what. Which versions were approved is kept, so that going back to one needs no other review: what
 * is served of an active app has been. A version that gets other content was never approved with that.
 *
 * Columns without a default, and checks of new rows: the migrations after this one make the index and look at the old rows. It waits for the
 * transactions that change apps and deploys, and is quick then.
 */
export class ReviewedVersions1764501100000 implements MigrationInterface {
  name = 'ReviewedVersions1764501100000';

  async up(runner: QueryRunner): Promise<void> {
    // In the order in which the gateway locks their rows.
    await runner.query(`
      LOCK TABLE apps IN SHARE ROW EXCLUSIVE MODE;
      LOCK TABLE app_versions, deploys IN ACCESS EXCLUSIVE MODE;
      ALTER TABLE app_versions ADD COLUMN approved_at timestamptz;
      ALTER TABLE deploys ADD COLUMN waits_for jsonb;
      ALTER TABLE deploys DROP CONSTRAINT deploys_status_check,
        ADD CONSTRAINT deploys_status_check
          CHECK (status IN ('pending', 'validating', 'syncing', 'waiting', 'success', 'warning', 'failed', 'superseded')) NOT VALID,
        ADD CONSTRAINT deploys_waiting_check CHECK (status <> 'waiting' OR waits_for IS NOT NULL) NOT VALID;
      CREATE OR REPLACE TRIGGER deploys_narrow_version AFTER UPDATE OF status ON deploys FOR EACH ROW
        WHEN (OLD.status IN ('syncing', 'waiting') AND NEW.status = 'success') EXECUTE FUNCTION deploys_narrow_version();

      CREATE OR REPLACE FUNCTION app_versions_begin_anew() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.served_until := NULL;
        NEW.approved_at := NULL;
        RETURN NEW;
      END
      $$;

      CREATE FUNCTION apps_note_approved() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE app_versions SET approved_at = now() WHERE app_id = NEW.app_id AND version = NEW.served_version AND approved_at IS NULL;
        RETURN NULL;
      END
      $$;
      CREATE TRIGGER apps_note_approved AFTER UPDATE OF status, served_version ON apps FOR EACH ROW
        WHEN (NEW.status = 'active' AND NEW.served_version IS NOT NULL
          AND (OLD.status, OLD.served_version) IS DISTINCT FROM (NEW.status, NEW.served_version))
        EXECUTE FUNCTION apps_note_approved();

      -- Out of the marketplace, an app is reviewed as a whole, and no version of it is approved any more.
      CREATE FUNCTION apps_end_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE app_versions SET approved_at = NULL WHERE app_id = NEW.app_id AND approved_at IS NOT NULL;
        UPDATE deploys SET status = 'superseded', finished_at = now() WHERE app_id = NEW.app_id AND status = 'waiting';
        RETURN NULL;
      END
      $$;
      CREATE TRIGGER apps_end_waiting AFTER UPDATE OF status ON apps FOR EACH ROW
        WHEN (OLD.status = 'active' AND NEW.status <> 'active') EXECUTE FUNCTION apps_end_waiting()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER apps_end_waiting ON apps;
      DROP TRIGGER apps_note_approved ON apps;
      DROP FUNCTION apps_end_waiting, apps_note_approved;
      CREATE OR REPLACE FUNCTION app_versions_begin_anew() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.served_until := NULL;
        RETURN NEW;
      END
      $$;
      CREATE OR REPLACE TRIGGER deploys_narrow_version AFTER UPDATE OF status ON deploys FOR EACH ROW
        WHEN (OLD.status = 'syncing' AND NEW.status = 'success') EXECUTE FUNCTION deploys_narrow_version();
      UPDATE deploys SET status = 'superseded' WHERE status = 'waiting';
      ALTER TABLE deploys DROP CONSTRAINT deploys_waiting_check, DROP CONSTRAINT deploys_status_check,
        ADD CONSTRAINT deploys_status_check
          CHECK (status IN ('pending', 'validating', 'syncing', 'success', 'warning', 'failed', 'superseded'));
      ALTER TABLE deploys DROP COLUMN waits_for;
      ALTER TABLE app_versions DROP COLUMN approved_at`);
  }
}
