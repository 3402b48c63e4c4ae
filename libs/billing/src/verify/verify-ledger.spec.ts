import { credit, debit, reservation, LedgerTest, reversal } from '../testing/ledger-test.js';

/** Reports changes that bypass the platform after the guards of the database were removed. */
let test: LedgerTest;
let id: string;
let earnings: string;
let developer: string;
/** Constraints that the next test violates. They stay dropped. */
const GUARDS: [string, string][] = [
  ['wallets', 'wallets_lots_check'],
  ['wallets', 'wallets_held_check'],
  ['ledger_entries', 'ledger_entries_lots_check'],
  ['ledger_entries', 'ledger_entries_balance_check'],
  ['ledger_entries', 'ledger_entries_share_check'],
  ['ledger_entries', 'ledger_entries_developer_check'],
  ['ledger_entries', 'ledger_entries_prev_seq_check'],
];

beforeAll(async () => {
  test = await LedgerTest.start();
  for (const [table, guard] of GUARDS) await test.query(`ALTER TABLE ${table} DROP CONSTRAINT ${guard}`);
});
afterAll(() => test.stop());

beforeEach(async () => {
  developer = await test.createUser();
  earnings = await test.wallets.ensureWallet(developer, 'earnings');
  id = await test.createFilledWallet(1_000, { earns: true });
  const charged = { appId: 'app', function: 'f', developer: { id: developer, split: 70 } };
  await test.ledger.debit(id, debit(100, { charged }));
  await test.query('SELECT ledger_book_commissions($1, 100)', [earnings]);
  await test.ledger.debit(id, debit(10, { charged }));
  const paid = debit(50, { kind: 'payout' });
  await test.ledger.debit(id, paid);
  await test.ledger.reverse(id, reversal(paid.key, 20));
  await test.ledger.reserve(id, reservation(30));
  await test.ledger.credit(id, credit(5, { source: 'promo', expiresAt: new Date(Date.now() + 3_600_000) }));
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});

/** Changes data directly, and restores it for the next test. */
async function behindTheBack(statements: string[], look: () => Promise<void>): Promise<void> {
  const tables = ['wallets', 'ledger_entries', 'wallet_holds', 'ledger_debts', 'commission_due', 'earnings_by_day'];
  const all = async (work: (table: string) => string) => {
    await test.dataSource.transaction(async (em) => {
      await em.query("SET LOCAL session_replication_role = 'replica'");
      for (const table of tables) await em.query(work(table));
    });
  };
  for (const table of tables) await test.query(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
  await test.dataSource.transaction(async (em) => {
    await em.query("SET LOCAL session_replication_role = 'replica'");
    for (const statement of statements)
      await em.query(statement.replaceAll('$1', id).replaceAll('$2', `'${developer}'`).replaceAll('$3', earnings));
  });
  try {
    await look();
  } finally {
    await all((table) => `DELETE FROM ${table}`);
    await all(
      (table) =>
        `INSERT INTO ${table} ${table === 'wallets' ? 'OVERRIDING SYSTEM VALUE ' : ''}SELECT * FROM kept_${table}`,
    );
    for (const table of tables) await test.query(`DROP TABLE kept_${table}`);
  }
}

const CHANGES: [string, string[], (id: string) => RegExp[]][] = [
  [
    'a balance',
    ['UPDATE wallets SET balance = balance + 1 WHERE id = $1'],
    (w) => [new RegExp(`^wallet ${w}, entry 6: its entries add up to 865, its balance is 866`), /the counters/],
  ],
  [
    'a held amount',
    ['UPDATE wallets SET held = 0 WHERE id = $1'],
    (w) => [new RegExp(`^wallet ${w}, entry 6: its reservations add up to 30, held is 0`)],
  ],
  [
    'a hold that is gone',
    ['DELETE FROM wallet_holds WHERE wallet_id = $1'],
    (w) => [new RegExp(`^wallet ${w}, entry 6: its reservations add up to 0, held is 30`)],
  ],
  [
    'a debt',
    ['UPDATE wallets SET debt = 7 WHERE id = $1'],
    (w) => [new RegExp(`^wallet ${w}, entry 6: its debts minus their payments are 0, its debt is 7`)],
  ],
  [
    'lots that earn',
    [`UPDATE wallets SET lots = jsonb_set(lots, '{1,earns}', 'false') WHERE id = $1`],
    (w) => [
      new RegExp(`^wallet ${w}, entry 6: its entries leave in a lot of the source adjustment 0, it has 860`),
      new RegExp(`^wallet ${w}, entry 6: its entries leave in a lot of the source adjustment 860, it has 0`),
    ],
  ],
  [
    'lots that expire later',
    ['UPDATE wallets SET next_expiry = NULL WHERE id = $1'],
    (w) => [new RegExp(`^wallet ${w}, entry 6: a lot of it expires before the stored next expiry`)],
  ],
  [
    'an amount',
    ['UPDATE ledger_entries SET amount = amount + 1 WHERE wallet_id = $1 AND seq = 2'],
    (w) => [
      new RegExp(`^wallet ${w}, entry 2: 1000 and -99 do not add up to 900`),
      new RegExp(`^wallet ${w}, entry 2: its lots are 100 credits, its amount is -99`),
      new RegExp(`^wallet ${w}, entry 6: its entries add up to 866, its balance is 865`),
      /add up to/,
    ],
  ],
  [
    'an amount and all that follows in its entry',
    [
      `UPDATE ledger_entries SET amount = -90, balance_after = 910, lots = jsonb_set(lots, '{0,amount}', '90') WHERE wallet_id = $1 AND seq = 2`,
    ],
    (w) => [
      new RegExp(`^wallet ${w}, entry 3: begins with the balance 900, but the previous entry ends with 910`),
      new RegExp(`^wallet ${w}, entry 2: earns from 100 credits, but took 90 credits that earn`),
      new RegExp(`^wallet ${w}, entry 6: its entries add up to 875`),
      new RegExp(`^wallet ${w}, entry 6: its entries leave in a lot of the source adjustment 870, it has 860`),
      /add up to/,
    ],
  ],
  [
    'an entry that is gone',
    ['DELETE FROM ledger_entries WHERE wallet_id = $1 AND seq = 4'],
    (w) => [
      new RegExp(`^wallet ${w}, entry 3: the entries 4 are missing`),
      new RegExp(`^wallet ${w}, entry 5: begins with the balance 840, but the previous entry ends with 890`),
      /add up to/,
      /leave in a lot/,
      new RegExp(`^wallet ${w}, entry 4: 20 credits of it were given back, but its amount is 0`),
      /the counters/,
    ],
  ],
  [
    'a last entry that is gone',
    ['DELETE FROM ledger_entries WHERE wallet_id = $1 AND seq = 6'],
    (w) => [
      new RegExp(`^wallet ${w}, entry 5: the entries 6 are missing`),
      /add up to 860/,
      /leave in a lot of the source promo 0, it has 5/,
      /the counters/,
    ],
  ],
  [
    'a wallet that is set back',
    [
      `UPDATE wallets w SET balance = 890, seq = 3, held = 0, lots = '[{"source":"adjustment","priority":30,"expires_at":null,"earns":true,"amount":890}]' WHERE id = $1`,
    ],
    (w) => [
      new RegExp(`^wallet ${w}, entry 6: it names 3 as its last entry, but has 4 to 6 too`),
      /add up to 865/,
      /reservations add up to 30, held is 0/,
      /leave in a lot/,
      /leave in a lot/,
      /the counters/,
    ],
  ],
  [
    'a wallet that is gone',
    ['DELETE FROM wallets WHERE id = $1'],
    (w) => [new RegExp(`^wallet ${w}: it no longer exists, but has entries`), /the counters/],
  ],
  [
    'lots of an entry',
    [`UPDATE ledger_entries SET lots = jsonb_set(lots, '{0,source}', '"topup"') WHERE wallet_id = $1 AND seq = 1`],
    (w) => [
      new RegExp(`^wallet ${w}, entry 2: takes 100 credits of the source adjustment, but there were 0`),
      /takes/,
      /takes/,
      /leave in a lot/,
      /leave in a lot/,
    ],
  ],
  [
    'a reversal beyond what was taken',
    [`UPDATE ledger_entries SET reverses_seq = 3 WHERE wallet_id = $1 AND seq = 5`],
    (w) => [new RegExp(`^wallet ${w}, entry 3: 20 credits of it were given back, but its amount is -10`)],
  ],
  [
    'a share',
    ['UPDATE ledger_entries SET share = 71 WHERE wallet_id = $1 AND seq = 2'],
    () => [
      /^developer usr_\w+, app app, function "f", .*: 2 calls earned 78 of 110, booked or due are 2 calls, 77 of 110/,
    ],
  ],
  [
    'a share beyond what earns',
    ['UPDATE ledger_entries SET share = 101, earned_base = 101 WHERE wallet_id = $1 AND seq = 2'],
    (w) => [new RegExp(`^wallet ${w}, entry 2: earns from 101 credits, but took 100 credits that earn`), /^developer/],
  ],
  [
    'a share that is due no more',
    ['DELETE FROM commission_due WHERE wallet_id = $1'],
    () => [/2 calls earned 77 of 110, booked or due are 1 calls, 70 of 100/],
  ],
  [
    'a share that is due again',
    [`INSERT INTO commission_due VALUES ($1, 2, $2)`],
    () => [/2 calls earned 77 of 110, booked or due are 3 calls, 147 of 210/],
  ],
  [
    'a share that is due to somebody else',
    [`UPDATE commission_due SET developer_id = 'usr_x' WHERE wallet_id = $1`],
    () => [/2 calls earned 77 of 110, booked or due are 1 calls, 70 of 100/],
  ],
  [
    'what was earned in a day',
    [`UPDATE earnings_by_day SET share = share + 1 WHERE developer_id = $2`],
    () => [
      /earned 77 of 110, booked or due are 2 calls, 78 of 110/,
      /app app: 71 credits are booked, but 70 were credited/,
      /app app: its days add up to 1 calls, 71 of 100, in all it has 1 calls, 70 of 100/,
    ],
  ],
];

it.each(CHANGES)('finds %s', async (_what, statements, expected) => {
  await behindTheBack(statements, async () => {
    const { problems, lines } = await test.verifyLedger();
    const patterns = expected(id);
    const unexpected = lines.filter((line) => !patterns.some((pattern) => pattern.test(line)));
    expect(unexpected).toEqual([]);
    for (const pattern of patterns) expect(lines).toContainEqual(expect.stringMatching(pattern));
    expect(problems).toBe(lines.length);
  });
  expect(await test.verifyLedger()).toMatchObject({ problems: 0 });
});

it('finds nothing while movements go on', async () => {
  const wallets = await Promise.all(Array.from({ length: 5 }, () => test.createFilledWallet(10_000, { earns: true })));
  let isOver = false;
  const moving = wallets.map(async (wallet) => {
    while (!isOver) {
      const charged = { appId: 'app', function: 'f', developer: { id: developer, split: 70 } };
      await test.ledger.debit(wallet, debit(3, { charged }));
      await test.ledger.reserve(wallet, reservation(1));
      await test.query('SELECT ledger_book_commissions($1, 100)', [earnings]);
    }
  });
  try {
    for (let n = 0; n < 5; n++) expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
  } finally {
    isOver = true;
    await Promise.all(moving);
  }
});

it('ends when it is told to', async () => {
  const { verifyLedger } = await import('./verify-ledger.js');
  const report = () => undefined;
  const verifying = verifyLedger(test.dataSource, { keyring: test.keyring, report, signal: AbortSignal.abort() });
  await expect(verifying).rejects.toThrow('aborted');
});

it('leaves no transaction to whoever comes next when it fails', async () => {
  await test.query('ALTER TABLE app_earnings RENAME TO away');
  try {
    await expect(test.verifyLedger()).rejects.toThrow('app_earnings');
  } finally {
    await test.query('ALTER TABLE away RENAME TO app_earnings');
  }
  expect(await test.verifyLedger()).toMatchObject({ problems: 0 });
});
