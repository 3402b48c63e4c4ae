import { inBatches, type BatchEnd } from '@platform/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const VERSIONS_AT_ONCE = 100;
const INSTALLS_AT_ONCE = 1_000;

/**
 * What versions of before ask for; and who has an app now is taken to have agreed to what the version asks for that is served now. Fills
 * columns in batches, each a transaction of its own, so that nobody waits for more than one batch of rows and everything can be read
 * meanwhile. After a failure it begins anew, and changes nothing that was written since.
 */
export class GrantsOfBefore1764403000010 implements MigrationInterface {
  name = 'GrantsOfBefore1764403000010';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inBatches(
      (after) =>
        runner.query(
          `WITH batch AS MATERIALIZED (
             SELECT app_id, version, sha256, (scopes_requested_by(manifest, document))[1:200] AS requested FROM app_versions
             WHERE (app_id, version) > ($1, $2) ORDER BY app_id, version LIMIT ${VERSIONS_AT_ONCE}),
           filled AS (
             UPDATE app_versions v SET requested_scopes = b.requested FROM batch b
             WHERE v.app_id = b.app_id AND v.version = b.version AND v.sha256 = b.sha256 AND v.requested_scopes <> b.requested)
           SELECT app_id AS first, version AS second FROM batch ORDER BY app_id DESC, version DESC LIMIT 1`,
          after,
        ) as Promise<BatchEnd[]>,
    );
    await inBatches(
      (after) =>
        runner.query(
          `WITH batch AS MATERIALIZED (
             SELECT user_id, app_id FROM installs WHERE (user_id, app_id) > ($1, $2) ORDER BY user_id, app_id LIMIT ${INSTALLS_AT_ONCE}),
           filled AS (
             UPDATE installs i SET granted_scopes = v.requested_scopes
             FROM batch b JOIN apps a ON a.app_id = b.app_id JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
             WHERE i.user_id = b.user_id AND i.app_id = b.app_id AND i.removed_at IS NULL AND i.granted_scopes = '{}'
               AND i.asked_version IS NULL AND v.requested_scopes <> '{}')
           SELECT user_id AS first, app_id AS second FROM batch ORDER BY user_id DESC, app_id DESC LIMIT 1`,
          after,
        ) as Promise<BatchEnd[]>,
    );
  }

  /** The columns go with the migration before. */
  async down(): Promise<void> {}
}
