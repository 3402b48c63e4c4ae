import 'reflect-metadata';
import { LedgerService, type Debit } from '@platform/billing';
import { createDataSource, queryPrepared } from '@platform/persistence';
import { Pool } from 'pg';
import { serve } from './work.js';

const { DATABASE_URL = '', DATABASE_POOL_SIZE, MOVES = '', WALLETS = '' } = process.env;
const poolSize = Number(DATABASE_POOL_SIZE);
const wallets = WALLETS.split(',');
const [hot = ''] = wallets;
const run = `${process.pid}:${Date.now()}`;
let next = 0;
const wallet = (): string => wallets[next % wallets.length] as string;
const key = (): string => `bench:${run}:${next++}`;

/**
 * Minimum work of a charge: a guarded UPDATE and an INSERT in a transaction, prepared, with a pool
 * of a service's size.
 */
function bare(): () => Promise<void> {
  const pool = new Pool({ connectionString: DATABASE_URL, max: poolSize });
  const update = 'UPDATE bench.wallets SET balance = balance - 1 WHERE id = $1 AND balance >= 1';
  const insert = 'INSERT INTO bench.entries (wallet_id, amount, key) VALUES ($1, -1, $2)';
  return async () => {
    const id = wallet();
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const { rowCount } = await client.query({ name: 'update', text: update, values: [id] });
      if (!rowCount) throw new Error('The wallet has no credits left.');
      await client.query({ name: 'insert', text: insert, values: [id, key()] });
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  };
}

const debit = (): Debit => ({ key: key(), amount: 1, kind: 'call_charge' });
const dataSource = createDataSource({ url: DATABASE_URL, schema: 'gateway', poolSize, entities: [], migrations: [] });
const ledger = new LedgerService(dataSource);
const done = async (walletId: string): Promise<void> => {
  const { outcome } = await ledger.debit(walletId, debit());
  if (outcome !== 'done') throw new Error(`The debit failed: ${outcome}.`);
};

const WAYS: Readonly<Record<string, () => () => Promise<void>>> = {
  bare,
  /** Uses the wallets in turn. */
  spread: () => () => done(wallet()),
  /** Uses one wallet, with one statement for each debit, as separate processes would. */
  hot: () => async () => {
    await queryPrepared(dataSource, 'SELECT * FROM ledger_debit($1, $2)', [
      hot,
      JSON.stringify([{ ...debit(), counter: 'usage' }]),
    ]);
  },
  /** Uses one wallet from one process, which batches the debits. */
  batched: () => () => done(hot),
};

const way = WAYS[MOVES];
if (!way) throw new Error(`MOVES is unknown: "${MOVES}".`);
if (MOVES !== 'bare') await dataSource.initialize();
serve(way());
