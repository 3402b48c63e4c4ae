import 'reflect-metadata';
import { LedgerService, LedgerSweepService, type Debit, type MovementResult } from '@platform/billing';
import { createDataSource } from '@platform/persistence';
import { setTimeout as delay } from 'node:timers/promises';
import { numbers } from './random-numbers.js';

/**
 * Process that moves credits, for `ledger-faults.whole.spec.ts`, which kills it. It receives
 * numbers of operations, makes several at once, and answers with the result of each. The number
 * alone determines an operation, so repeating it in any process is safe. Operations that fail
 * because the database is down are retried.
 */
export interface OperationDone {
  operation: number;
  /** Outcome of its last movement. */
  outcome: MovementResult['outcome'];
  /** Keys of the entries that must exist after it, and of those that must not exist. */
  made: string[];
  refused: string[];
}

const AT_ONCE = 8;
const RETRY_MS = 50;

const [databaseUrl = '', walletIds = '', developers = ''] = process.argv.slice(2);
const wallets = walletIds.split(',');
const earnings = developers.split(',').map((pair) => pair.split(':') as [user: string, wallet: string]);
const dataSource = createDataSource({
  url: databaseUrl,
  schema: 'gateway',
  poolSize: AT_ONCE,
  entities: [],
  migrations: [],
});
const ledger = new LedgerService(dataSource);
const sweeps = new LedgerSweepService(dataSource);

async function make(operation: number): Promise<OperationDone> {
  const random = numbers(operation);
  const pick = <One>(all: readonly One[]): One => all[random(all.length)] as One;
  const wallet = pick(wallets);
  const [developer, earningsWallet] = pick(earnings);
  const amount = 1 + random(40);
  const key = (what: string) => `operation:${operation}:${what}`;
  const charged = { appId: `app${random(3)}`, function: 'f', developer: { id: developer, split: 70 } };
  const charge: Debit = { key: key('debit'), amount, kind: 'call_charge', charged };
  const kept: string[] = [];
  const refused: string[] = [];
  const noted = (name: string, { outcome, seq }: MovementResult): boolean => {
    const isMade = outcome === 'done' || outcome === 'replayed';
    if (seq !== null) kept.push(name);
    else if (!isMade) refused.push(name);
    return isMade;
  };
  const done = (outcome: OperationDone['outcome']): OperationDone => ({ operation, outcome, made: kept, refused });

  const kind = random(10);
  if (kind < 3) {
    const soon = { expiresAt: new Date(Date.now() + random(20_000)) };
    const credit = await ledger.credit(wallet, {
      key: key('credit'),
      amount: amount * 2,
      kind: 'admin_adjustment',
      source: pick(['plan', 'promo', 'adjustment', 'topup'] as const),
      earns: random(2) === 0,
      ...(random(4) === 0 && soon),
    });
    noted(key('credit'), credit);
    return done(credit.outcome);
  }
  if (kind < 5) {
    const debit = await ledger.debit(wallet, { ...charge, ...(random(5) === 0 && { shortfall: 'debt' as const }) });
    noted(charge.key, debit);
    return done(debit.outcome);
  }
  if (kind < 8) {
    // Simulates a call. Some reservations are never captured, as when a process dies.
    const held = await ledger.reserve(wallet, { id: key('hold'), amount, seconds: 1 + random(20) });
    if (held.outcome === 'paid') kept.push(key('hold'));
    if (held.outcome !== 'done' || random(8) === 0) return done(held.outcome);
    if (random(6) === 0) return done((await ledger.release(wallet, key('hold'))).outcome);
    const settled = await ledger.capture(wallet, {
      ...charge,
      reservationId: key('hold'),
      key: key('hold'),
      amount: 1 + random(amount),
    });
    noted(key('hold'), settled);
    return done(settled.outcome);
  }
  if (kind === 8) {
    const payout = await ledger.debit(earningsWallet, { key: key('payout'), amount, kind: 'payout' });
    if (!noted(key('payout'), payout) || random(2) === 0) return done(payout.outcome);
    const back = await ledger.reverse(earningsWallet, {
      key: key('back'),
      reverses: key('payout'),
      amount,
      kind: 'payout_return',
    });
    noted(key('back'), back);
    return done(back.outcome);
  }
  if (random(3) === 0) await sweeps.sweepExpired();
  await dataSource.query('SELECT ledger_book_earnings($1, 20)', [earningsWallet]);
  return done('done');
}

/** Retries like a caller; each time it is the same movement. */
async function makeUntilDone(operation: number): Promise<void> {
  for (;;) {
    try {
      process.send?.(await make(operation));
      return;
    } catch (error) {
      // PostgreSQL's own errors, for which a retry does not help.
      if (/^(22|23|42|P0)/.test((error as { code?: string }).code ?? '')) throw error;
      await delay(RETRY_MS);
    }
  }
}

await dataSource.initialize();
process.on('message', (operations: number[]) => {
  const waiting = [...operations];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await makeUntilDone(next);
  };
  void Promise.all(Array.from({ length: AT_ONCE }, lane));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
