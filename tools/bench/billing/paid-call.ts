import { LOT_PRIORITIES } from '@platform/billing';
import { Client } from 'pg';
import type { Comparison } from '../comparing/comparison.js';
import { calls } from '../extensions/call.js';
import type { BenchPlatform } from '../platform/bench-platform.js';
import { insertApp, installForAll, parsed, RunningApp, SENT_DOCUMENT } from '../platform/running-app.js';

const APP = 'bench-paid';
const CREDITS = 1_000_000_000;

/** Measures the extra time of a paid call: a reservation before it and a capture after it. */
export const paidCall: Comparison = {
  subject: 'POST /v1/extensions/{app_id}/call, paid',
  baseline: 'the same, free',
  bar: 0.6,
  async prepare(platform) {
    const app = await RunningApp.inCommon(platform);
    await sell(platform);
    return {
      baseline: calls(platform, app.gateway.url),
      subject: calls(platform, app.gateway.url, APP),
      stop: () => app.stop(),
    };
  },
};

/**
 * Creates an app whose function costs a credit, and gives the users enough credits that count as
 * earnings.
 */
async function sell({ databaseUrl }: BenchPlatform): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, options: '-c search_path=gateway' });
  await client.connect();
  try {
    await insertApp(client, parsed({ ...SENT_DOCUMENT, app_id: APP }));
    await client.query(
      `INSERT INTO app_prices (app_id, version, model, function_prices, monthly_price, split)
       VALUES ($1, 1, 'per_action', '{"read_note": 1}', 0, 70) ON CONFLICT DO NOTHING`,
      [APP],
    );
    await client.query(
      'UPDATE apps SET pricing_model = \'per_action\', pricing_config = \'{"tool_prices": {"read_note": 1}}\', price_version = 1 WHERE app_id = $1',
      [APP],
    );
    await installForAll(client, APP);
    await client.query(
      `INSERT INTO wallets (tenant_id, user_id, kind) SELECT u.tenant_id, u.id, 'user' FROM installs i JOIN users u ON u.id = i.user_id
       WHERE i.app_id = $1 ON CONFLICT DO NOTHING`,
      [APP],
    );
    await client.query(
      `SELECT ledger_credit(w.id, jsonb_build_array(jsonb_build_object('key', 'bench:' || w.id, 'amount', $2::bigint, 'kind', 'admin_adjustment',
         'counter', 'adjust', 'source', 'adjustment', 'priority', ${LOT_PRIORITIES.adjustment}, 'earns', true)))
       FROM wallets w JOIN installs i ON i.user_id = w.user_id AND i.app_id = $1 WHERE w.kind = 'user'`,
      [APP, CREDITS],
    );
  } finally {
    await client.end();
  }
}
