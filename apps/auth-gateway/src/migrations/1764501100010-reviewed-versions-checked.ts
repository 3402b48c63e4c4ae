import type { MigrationInterface, QueryRunner } from 'typeorm';

const APPS_AT_ONCE = 100;

/**
 * The checks of `ReviewedVersions1764501100000` for the rows of before, and what is served of apps in the marketplace, which was approved. In
 * batches, each a transaction of its own; it locks the rows of one batch and nothing else. After a failure it begins anew.
 */
export class ReviewedVersionsChecked1764501100010 implements MigrationInterface {
  name = 'ReviewedVersionsChecked1764501100010';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deploys VALIDATE CONSTRAINT deploys_status_check');
    await runner.query('ALTER TABLE deploys VALIDATE CONSTRAINT deploys_waiting_check');
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows = (await runner.query(
        `WITH batch AS MATERIALIZED (
           SELECT app_id, served_version FROM apps
           WHERE app_id > $1 AND status = 'active' AND served_version IS NOT NULL ORDER BY app_id LIMIT ${APPS_AT_ONCE}),
         noted AS (
           UPDATE app_versions v SET approved_at = v.registry_held_at FROM batch b
           WHERE v.app_id = b.app_id AND v.version = b.served_version AND v.approved_at IS NULL)
         SELECT app_id FROM batch ORDER BY app_id DESC LIMIT 1`,
        [after],
      )) as { app_id: string }[];
      after = rows[0]?.app_id;
    }
  }

  async down(): Promise<void> {}
}
