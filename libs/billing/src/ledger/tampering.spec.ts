import { credit, debit, LedgerTest } from '../testing/ledger-test.js';

/** Fault 16: the database refuses changes that bypass the functions of the ledger. */
let test: LedgerTest;
let id: string;
beforeAll(async () => {
  test = await LedgerTest.start();
  id = await test.createFilledWallet(100);
  await test.ledger.debit(id, debit(30));
  await test.ledger.debit(id, debit(200, { shortfall: 'debt' }));
  await test.ledger.credit(id, credit(200));
});
afterAll(() => test.stop());

const LOTS = (amount: number) =>
  `'[{"source":"topup","priority":40,"expires_at":null,"earns":true,"amount":${amount}}]'`;
/** SQL of an entry that is consistent in itself. */
const entry = (wallet: string, seq: string, before: number, amount: number, previous = `nullif(${seq} - 1, 0)`) =>
  `INSERT INTO ledger_entries (wallet_id, seq, prev_seq, kind, counter, amount, balance_before, balance_after, lots, idem_key)
   VALUES (${wallet}, ${seq}, ${previous}, 'topup', 'provider', ${amount}, ${before}, ${before + amount}, ${LOTS(Math.abs(amount))}, 'forged')`;
const emptyWallet = `(SELECT id FROM wallets WHERE seq IS NULL LIMIT 1)`;

const REFUSED: [string, string, string][] = [
  ['a changed balance', 'UPDATE wallets SET balance = balance + 1 WHERE id = $1', 'wallets_lots_check'],
  [
    'a changed balance with its lots',
    `UPDATE wallets SET balance = 71, lots = ${LOTS(71)} WHERE id = $1`,
    'wallets_last_entry_fkey',
  ],
  [
    'a balance of an entry that is not there',
    `UPDATE wallets SET balance = 71, lots = ${LOTS(71)}, seq = 9 WHERE id = $1`,
    'wallets_last_entry_fkey',
  ],
  ['lots that are not the balance', `UPDATE wallets SET lots = '[]' WHERE id = $1`, 'wallets_lots_check'],
  ['lots without amounts', `UPDATE wallets SET lots = '[{}]' WHERE id = $1`, 'wallets_lots_check'],
  ['holds beyond the balance', 'UPDATE wallets SET held = balance + 1 WHERE id = $1', 'wallets_held_check'],
  ['a debt below zero', 'UPDATE wallets SET debt = -1 WHERE id = $1', 'wallets_debt_check'],
  [
    'a first balance without an entry',
    `UPDATE wallets SET balance = 5, lots = ${LOTS(5)} WHERE id = ${emptyWallet} AND $1 <> ''`,
    'wallets_first_balance_check',
  ],
  [
    'a first balance with an entry that is not there',
    `UPDATE wallets SET balance = 5, lots = ${LOTS(5)}, seq = 1 WHERE id = ${emptyWallet} AND $1 <> ''`,
    'wallets_last_entry_fkey',
  ],
  ['a wallet that goes', 'DELETE FROM wallets WHERE id = $1', 'ledger_entries_wallet_fkey'],
  ['a changed entry', `UPDATE ledger_entries SET description = 'x' WHERE wallet_id = $1`, 'never changed or removed'],
  ['a removed entry', 'DELETE FROM ledger_entries WHERE wallet_id = $1 AND seq = 3', 'never changed or removed'],
  ['removed entries', 'TRUNCATE ledger_entries CASCADE', 'never changed or removed'],
  ['a changed debt', 'UPDATE ledger_debts SET amount = 1 WHERE wallet_id = $1', 'never changed or removed'],
  ['a removed debt', 'DELETE FROM ledger_debts WHERE wallet_id = $1', 'never changed or removed'],
  ['removed debts', 'TRUNCATE ledger_debts', 'never changed or removed'],
  ['a gap', entry('$1', '9', 70, 5), 'ledger_entries_chain_fkey'],
  ['a fork', entry('$1', '2', 100, 5), 'ledger_entries_pkey'],
  ['a second first entry', entry('$1', '9', 0, 5, 'NULL'), 'ledger_entries_prev_seq_check'],
  ['another sum than before', entry('$1', '6', 999, 5), 'ledger_entries_chain_fkey'],
  [
    'a first entry that begins with something',
    entry(emptyWallet, '1', 7, 5)
      .replace('VALUES', 'SELECT')
      .replace(/\)$/, ` WHERE $1 <> ''`)
      .replace('SELECT (', 'SELECT '),
    'ledger_entries_first_check',
  ],
  ['an entry 0', entry('$1', '0', 0, 5, 'NULL'), 'ledger_entries_'],
  ['a balance below zero', entry('$1', '6', 70, -80), 'ledger_entries_balance_check'],
  ['an entry of nothing', entry('$1', '6', 70, 0), 'ledger_entries_amount_check'],
  ['an entry that is too large', entry('$1', '6', 70, 1_000_000_000_001), 'ledger_entries_amount_check'],
  [
    'an entry whose lots are not its amount',
    entry('$1', '6', 70, 5).replace('"amount":5', '"amount":6'),
    'ledger_entries_lots_check',
  ],
  [
    'a share without a developer',
    entry('$1', '6', 70, -5).replace('idem_key)', 'idem_key, earned_base)').replace(/\)$/, ', 5)'),
    'ledger_entries_developer_check',
  ],
];

it.each(REFUSED)('fault 16: refuses %s', async (_what, statement, reason) => {
  await test.createWallet(); // an empty wallet
  const before = [await test.readWallet(id), await test.listBookings(id)];
  await expect(test.query(statement, statement.includes('$1') ? [id] : [])).rejects.toThrow(reason);
  expect([await test.readWallet(id), await test.listBookings(id)]).toEqual(before);
});

it('left a ledger in which everything adds up', async () => {
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});
