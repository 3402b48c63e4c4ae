import { LOT_PRIORITIES } from '@platform/billing';
import { Client } from 'pg';
import type { Comparison } from '../comparing/comparison.js';
import { load } from '../load/http.js';
import type { BenchPlatform } from '../platform/bench-platform.js';
import type { Sizes } from '../platform/size.js';

const COUNTS: Sizes<{ entries: number; limit: number }> = {
  full: { entries: 1_000_000, limit: 50 },
  tiny: { entries: 2_000, limit: 1 },
};
const PAGE = 1_000;

/** Compares a late page with the first, for a wallet with a million entries. */
export const history: Comparison = {
  subject: `GET /v1/billing/wallet/history, page ${PAGE.toLocaleString('en')}`,
  baseline: 'page 1, of a million entries',
  bar: 0.5,
  async prepare(platform, url) {
    const { entries, limit } = COUNTS[platform.size];
    const user = await fill(platform, entries);
    const page = (number: number) => (milliseconds: number) =>
      load(url, 1, milliseconds, (send) =>
        send({
          method: 'GET',
          path: `/v1/billing/wallet/history?limit=${limit}&offset=${limit * (number - 1)}`,
          headers: { 'X-Service-Token': platform.serviceToken, 'X-Acting-User': user },
        }),
      );
    return { baseline: page(1), subject: page(PAGE) };
  },
};

/**
 * Creates a user with one credit entry and many debits of 1, without triggers and foreign keys,
 * because only reading is measured. Returns the id of the user.
 */
async function fill({ databaseUrl }: BenchPlatform, entries: number): Promise<string> {
  const client = new Client({ connectionString: databaseUrl, options: '-c search_path=gateway' });
  await client.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    const { rows } = await client.query<{ user_id: string; id: string }>(
      `WITH owner AS (INSERT INTO users (id, tenant_id, email, email_canonical)
         SELECT 'usr_history_' || n, 'default', n || '@history.example.com', n || '@history.example.com' FROM gen_random_uuid() AS n
         RETURNING tenant_id, id)
       INSERT INTO wallets (tenant_id, user_id, kind) SELECT tenant_id, id, 'user' FROM owner RETURNING user_id, id`,
    );
    const { user_id: user, id } = rows[0] as { user_id: string; id: string };
    const lot = (amount: string) =>
      `jsonb_build_array(jsonb_build_object('source', 'topup', 'priority', ${LOT_PRIORITIES.topup}, 'expires_at', NULL, 'earns', true, 'amount', ${amount}))`;
    await client.query(
      `INSERT INTO ledger_entries (wallet_id, seq, prev_seq, kind, counter, amount, balance_before, balance_after, lots, idem_key, app_id, function)
       SELECT $1, seq, nullif(seq - 1, 0), CASE seq WHEN 1 THEN 'topup' ELSE 'call_charge' END, CASE seq WHEN 1 THEN 'provider' ELSE 'usage' END,
         amount, after - amount, after, CASE seq WHEN 1 THEN ${lot('amount')} ELSE ${lot('1')} END, 'bench-history:' || $1::bigint || ':' || seq, 'bench', 'f'
       FROM generate_series(1, ${entries}) AS seq,
         LATERAL (SELECT CASE seq WHEN 1 THEN ${entries} ELSE -1 END AS amount, ${entries + 1} - seq AS after) AS n`,
      [id],
    );
    await client.query(`UPDATE wallets SET seq = ${entries}, balance = 1, lots = ${lot('1')} WHERE id = $1`, [id]);
    await client.query('VACUUM ANALYZE wallets, ledger_entries');
    return user;
  } finally {
    await client.end();
  }
}
