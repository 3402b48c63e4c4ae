import type { MigrationInterface, QueryRunner } from 'typeorm';

const APPS_AT_ONCE = 20;

/**
 * The prices that users agreed to. Who has an app now is taken to have agreed to what it costs now. A column without a default, which rewrites
 * nothing; then the installs of apps that cost something, some apps at a time, each batch a transaction of its own. After a failure it begins
 * anew. What a gateway of before writes meanwhile has agreed to nothing: its calls that cost something are refused until it is installed again.
 */
export class AgreedPrices1764600001000 implements MigrationInterface {
  name = 'AgreedPrices1764600001000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE installs ADD COLUMN IF NOT EXISTS agreed_price_version integer');
    let after: string | null = '';
    while (after !== null) {
      const [batch] = (await runner.query(
        `WITH batch AS MATERIALIZED (
           SELECT app_id, price_version FROM apps WHERE price_version IS NOT NULL AND app_id > $1 ORDER BY app_id LIMIT ${APPS_AT_ONCE}),
         filled AS (
           UPDATE installs i SET agreed_price_version = b.price_version FROM batch b
           WHERE i.app_id = b.app_id AND i.removed_at IS NULL AND i.agreed_price_version IS NULL)
         SELECT max(app_id) AS last FROM batch`,
        [after],
      )) as { last: string | null }[];
      after = batch?.last ?? null;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE installs DROP COLUMN IF EXISTS agreed_price_version');
  }
}
