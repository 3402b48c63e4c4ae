import { inBatches, type BatchEnd } from '@platform/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const INSTALLS_AT_ONCE = 1_000;

/**
 * The prices that users agreed to. Who has an app now is taken to have agreed to what it costs now. A column without a default, which rewrites
 * nothing; then the installs of apps that cost something, in batches, each a transaction of its own. After a failure it begins anew.
 * What a gateway of before writes meanwhile has agreed to nothing: its calls that cost something are refused until it is installed again.
 */
export class AgreedPrices1764600001000 implements MigrationInterface {
  name = 'AgreedPrices1764600001000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE installs ADD COLUMN IF NOT EXISTS agreed_price_version integer');
    await inBatches(
      (after) =>
        runner.query(
          `WITH batch AS MATERIALIZED (
             SELECT user_id, app_id FROM installs WHERE (user_id, app_id) > ($1, $2) ORDER BY user_id, app_id LIMIT ${INSTALLS_AT_ONCE}),
           filled AS (
             UPDATE installs i SET agreed_price_version = a.price_version FROM batch b JOIN apps a ON a.app_id = b.app_id
             WHERE i.user_id = b.user_id AND i.app_id = b.app_id AND i.removed_at IS NULL AND i.agreed_price_version IS NULL
               AND a.price_version IS NOT NULL)
           SELECT user_id AS first, app_id AS second FROM batch ORDER BY user_id DESC, app_id DESC LIMIT 1`,
          after,
        ) as Promise<BatchEnd[]>,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE installs DROP COLUMN IF EXISTS agreed_price_version');
  }
}
