import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * No version of an app that has left the marketplace is approved. `ReviewedVersions1764501100000` says so since it was changed; a database
 * that it had migrated before has a function that does not, and versions that were left approved. This one is the same in both.
 *
 * Safe on a live table: it replaces a function, and locks the rows that it corrects. The two before it took more than they say:
 * `ReviewedVersions1764501100000` also waits for transactions that read `app_versions` and `deploys`, and holds up readers while it waits;
 * `ReviewedVersionsChecked1764501100010` holds up other changes of the schema of `deploys` while it validates (SHARE UPDATE EXCLUSIVE),
 * and nobody who reads or writes.
 */
export class ApprovedInTheMarketplace1764510000200 implements MigrationInterface {
  name = 'ApprovedInTheMarketplace1764510000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION apps_end_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE app_versions SET approved_at = NULL WHERE app_id = NEW.app_id AND approved_at IS NOT NULL;
        UPDATE deploys SET status = 'superseded', finished_at = now() WHERE app_id = NEW.app_id AND status = 'waiting';
        RETURN NULL;
      END
      $$`);
    // In the order in which the gateway locks them: of an app that is approved meanwhile, nothing is taken back.
    await runner.query(`
      WITH outside AS MATERIALIZED (
        SELECT a.app_id FROM apps a WHERE a.status <> 'active' AND EXISTS (
          SELECT FROM app_versions v WHERE v.app_id = a.app_id AND v.approved_at IS NOT NULL)
        ORDER BY a.app_id FOR NO KEY UPDATE)
      UPDATE app_versions v SET approved_at = NULL FROM outside o WHERE v.app_id = o.app_id AND v.approved_at IS NOT NULL`);
  }

  async down(): Promise<void> {}
}
