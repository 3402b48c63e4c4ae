import { LOT_PRIORITIES } from '@platform/billing';
import { Client } from 'pg';
import { BareProcess } from '../bare/process.js';
import type { Comparison } from '../comparing/comparison.js';
import { POOL_SIZE, type BenchPlatform } from '../platform/bench-platform.js';

const WALLETS = 500;
const CREDITS = 1_000_000_000_000;
const BASELINE = 'UPDATE and INSERT in a transaction, spread';

interface Way {
  subject: string;
  moves: 'spread' | 'hot' | 'batched';
  bar: number;
  /** Number of debits that run at once. */
  concurrency: number;
}

/**
 * Compares a debit of the ledger, with its lots, chain and keys, with the minimum work of a charge.
 */
const against = ({ subject, moves, bar, concurrency }: Way): Comparison => ({
  subject,
  baseline: BASELINE,
  bar,
  async prepare(platform) {
    const env = {
      DATABASE_URL: platform.databaseUrl,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      WALLETS: (await fill(platform)).join(),
    };
    const [bare, ledger] = [
      BareProcess.start('ledger', { ...env, MOVES: 'bare' }),
      BareProcess.start('ledger', { ...env, MOVES: moves }),
    ];
    return {
      baseline: (milliseconds) => bare.run({ concurrency: AT_ONCE, milliseconds }),
      subject: (milliseconds) => ledger.run({ concurrency, milliseconds }),
      stop: () => {
        bare.stop();
        ledger.stop();
      },
    };
  },
});

const AT_ONCE = 32;
/** Debits that wait for a hot wallet: more than one batch takes. */
const WAITING = 256;

export const ledger: readonly Comparison[] = [
  against({ subject: 'debits of many wallets', moves: 'spread', bar: 0.5, concurrency: AT_ONCE }),
  against({ subject: 'debits of one wallet, a statement each', moves: 'hot', bar: 0.3, concurrency: AT_ONCE }),
  against({ subject: 'debits of one wallet, in batches', moves: 'batched', bar: 3, concurrency: WAITING }),
];

/** Creates wallets with a high balance, also for the baseline. */
async function fill({ databaseUrl }: BenchPlatform): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl, options: '-c search_path=gateway' });
  await client.connect();
  try {
    await client.query(
      `CREATE SCHEMA IF NOT EXISTS bench;
       CREATE TABLE IF NOT EXISTS bench.wallets (id bigint PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0)) WITH (fillfactor = 50);
       CREATE TABLE IF NOT EXISTS bench.entries (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
         wallet_id bigint NOT NULL REFERENCES bench.wallets, amount bigint NOT NULL, key text NOT NULL UNIQUE, at timestamptz NOT NULL DEFAULT now())`,
    );
    await client.query(
      `INSERT INTO wallets (tenant_id, user_id, kind) SELECT tenant_id, id, 'user' FROM users ORDER BY id LIMIT ${WALLETS} ON CONFLICT DO NOTHING`,
    );
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM wallets WHERE kind = 'user' ORDER BY user_id LIMIT ${WALLETS}`,
    );
    const ids = rows.map(({ id }) => id);
    await client.query(
      `SELECT ledger_credit(id, jsonb_build_array(jsonb_build_object('key', 'bench-ledger:' || id, 'amount', ${CREDITS}, 'kind', 'topup',
         'counter', 'provider', 'source', 'topup', 'priority', ${LOT_PRIORITIES.topup}, 'earns', true))) FROM unnest($1::bigint[]) AS id`,
      [ids],
    );
    await client.query(
      `INSERT INTO bench.wallets SELECT id, ${CREDITS} FROM unnest($1::bigint[]) AS id ON CONFLICT DO NOTHING`,
      [ids],
    );
    await client.query('VACUUM ANALYZE wallets, ledger_entries, bench.wallets, bench.entries');
    return ids;
  } finally {
    await client.end();
  }
}
