import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A decision about an app names what was looked at, unless nothing else can be meant: what was in review, and what was in the marketplace when
 * it left it. An id keeps that an app of it was reviewed, and that the platform stopped it, when the app is deleted and made again: by triggers,
 * since gateways of before run beside. Of ids that are retired by now nobody knows: they count as reviewed, and as not stopped.
 *
 * Columns with constant defaults, which rewrite nothing. It waits for the transactions that read or change `apps` and `retired_app_ids`, and
 * is quick then; who comes after it waits for it.
 */
export class NamedReviews1764510000100 implements MigrationInterface {
  name = 'NamedReviews1764510000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE apps ADD COLUMN submitted_sha256 bytea, ADD COLUMN published_sha256 bytea,
        ADD COLUMN reviews_name_content boolean NOT NULL DEFAULT false;
      ALTER TABLE retired_app_ids ADD COLUMN stopped_by_platform boolean NOT NULL DEFAULT false,
        ADD COLUMN was_reviewed boolean NOT NULL DEFAULT true;
      ALTER TABLE retired_app_ids ALTER COLUMN was_reviewed SET DEFAULT false;

      CREATE FUNCTION apps_keep_decisions() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO retired_app_ids (app_id, developer_id, stopped_by_platform, was_reviewed)
          VALUES (OLD.app_id, OLD.developer_id, OLD.stopped_by_platform,
            OLD.submitted_at IS NOT NULL OR OLD.published_at IS NOT NULL OR OLD.reviews_name_content)
          ON CONFLICT (app_id) DO UPDATE SET stopped_by_platform = EXCLUDED.stopped_by_platform, was_reviewed = EXCLUDED.was_reviewed;
        RETURN NULL;
      END
      $$;
      CREATE TRIGGER apps_keep_decisions AFTER DELETE ON apps FOR EACH ROW
        WHEN (OLD.developer_id IS NOT NULL
          AND (OLD.stopped_by_platform OR OLD.submitted_at IS NOT NULL OR OLD.published_at IS NOT NULL OR OLD.reviews_name_content))
        EXECUTE FUNCTION apps_keep_decisions();

      -- After the insert, which has waited for whoever deletes an app of this id.
      CREATE FUNCTION apps_take_up_decisions() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE apps a SET stopped_by_platform = r.stopped_by_platform, reviews_name_content = r.was_reviewed
          FROM retired_app_ids r WHERE a.app_id = NEW.app_id AND r.app_id = a.app_id AND (r.stopped_by_platform OR r.was_reviewed);
        RETURN NULL;
      END
      $$;
      CREATE TRIGGER apps_take_up_decisions AFTER INSERT ON apps FOR EACH ROW EXECUTE FUNCTION apps_take_up_decisions()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER apps_take_up_decisions ON apps;
      DROP TRIGGER apps_keep_decisions ON apps;
      DROP FUNCTION apps_take_up_decisions, apps_keep_decisions;
      ALTER TABLE retired_app_ids DROP COLUMN stopped_by_platform, DROP COLUMN was_reviewed;
      ALTER TABLE apps DROP COLUMN submitted_sha256, DROP COLUMN published_sha256, DROP COLUMN reviews_name_content`);
  }
}
