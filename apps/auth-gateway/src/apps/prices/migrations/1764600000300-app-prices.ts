import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What apps cost, in versions that never change, so that a charge says by which it was made. Each app that costs something by its settings gets its
 * first. There is no foreign key to `apps`: what was charged is read when the app is gone.
 *
 * A new table, and a column without a default, which rewrites nothing. It waits for the transactions that read or change `apps`, and is quick
 * then, since only apps with prices get a row; who comes after it waits for it. A gateway of before that changes prices meanwhile writes no
 * version: `POST /v1/admin/apps/sync-pricing` does.
 */
export class AppPrices1764600000300 implements MigrationInterface {
  name = 'AppPrices1764600000300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE app_prices (
        app_id text NOT NULL,
        version integer NOT NULL CONSTRAINT app_prices_version_check CHECK (version >= 1),
        model text NOT NULL CONSTRAINT app_prices_model_check CHECK (model IN ('per_action', 'subscription')),
        function_prices jsonb NOT NULL,
        monthly_price bigint NOT NULL CONSTRAINT app_prices_monthly_price_check CHECK (monthly_price BETWEEN 0 AND 10000000),
        split smallint NOT NULL CONSTRAINT app_prices_split_check CHECK (split BETWEEN 50 AND 95),
        created_at timestamptz NOT NULL DEFAULT billing_now(),
        CONSTRAINT app_prices_pkey PRIMARY KEY (app_id, version),
        CONSTRAINT app_prices_prices_check CHECK (jsonb_typeof(function_prices) = 'object'
          AND (model = 'per_action') = (function_prices <> '{}') AND (model = 'subscription') = (monthly_price > 0))
      );
      CREATE TRIGGER app_prices_refuse_change BEFORE UPDATE OR DELETE ON app_prices FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER app_prices_refuse_truncate BEFORE TRUNCATE ON app_prices EXECUTE FUNCTION refuse_change();

      INSERT INTO app_prices (app_id, version, model, function_prices, monthly_price, split)
      SELECT a.app_id, 1, a.pricing_model, CASE a.pricing_model WHEN 'per_action' THEN tools.prices ELSE '{}' END,
        CASE a.pricing_model WHEN 'subscription' THEN (a.pricing_config -> 'monthly_price')::bigint ELSE 0 END, a.revenue_split_dev
      FROM apps a, LATERAL (
        SELECT coalesce(jsonb_object_agg(key, value), '{}') AS prices
        FROM jsonb_each(jsonb_path_query_first(a.pricing_config, '$.tool_prices ? (@.type() == "object")'))
        WHERE value @@ 'strict $ >= 1 && $ <= 10000000 && $ == $.floor()') AS tools
      WHERE NOT a.system AND CASE a.pricing_model WHEN 'per_action' THEN tools.prices <> '{}'
        WHEN 'subscription' THEN a.pricing_config -> 'monthly_price' @@ 'strict $ >= 1 && $ <= 10000000 && $ == $.floor()' END;

      ALTER TABLE apps ADD COLUMN price_version integer,
        ADD CONSTRAINT apps_price_version_fkey FOREIGN KEY (app_id, price_version) REFERENCES app_prices (app_id, version);
      UPDATE apps a SET price_version = p.version FROM app_prices p WHERE p.app_id = a.app_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE apps DROP COLUMN price_version; DROP TABLE app_prices');
  }
}
