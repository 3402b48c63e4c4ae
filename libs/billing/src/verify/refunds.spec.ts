import { newId } from '@platform/platform';
import { credit, debit, LedgerTest } from '../testing/ledger-test.js';

/** Refunds and disputes that differ from the ledger are reported. */
let test: LedgerTest;
let wallet: string;
let payment: string;
let refund: string;
let dispute: string;
beforeAll(async () => (test = await LedgerTest.start()));
afterAll(() => test.stop());

beforeEach(async () => {
  const user = await test.createUser();
  wallet = await test.wallets.ensureWallet(user);
  [payment, refund, dispute] = [newId('pay'), newId('refund'), newId('dispute')];
  await test.query(
    `INSERT INTO payments (id, tenant_id, user_id, purpose, scope, status, amount_cents, currency, credits, is_live, provider_intent_id, completed_at)
     VALUES ($1, 'default', $2, 'topup', $1, 'succeeded', 100, 'usd', 1000, false, $1, now())`,
    [payment, user],
  );
  await test.query(
    `INSERT INTO payment_refunds (id, tenant_id, payment_id, number, amount_cents, reason, status, credits, debt)
     VALUES ($1, 'default', $2, 1, 20, 'requested', 'succeeded', 200, 0)`,
    [refund, payment],
  );
  await test.query(
    `INSERT INTO payment_disputes (id, tenant_id, payment_id, provider_dispute_id, amount_cents, status, reason, credits, debt, created_at, taken_at)
     VALUES ($1, 'default', $2, $1, 40, 'needs_response', 'fraudulent', 400, 300, now(), now())`,
    [dispute, payment],
  );
  await test.ledger.credit(wallet, credit(1_000, { key: `topup:${payment}`, source: 'topup', earns: true }));
  await test.ledger.debit(wallet, debit(700));
  await test.dataSource.transaction(async (em) => {
    await test.ledger.clawBack(wallet, { key: `refund:${refund}`, kind: 'refund', source: 'topup', amount: 200 }, em);
    await test.ledger.clawBack(
      wallet,
      { key: `dispute:${dispute}`, kind: 'dispute', source: 'topup', amount: 400 },
      em,
    );
  });
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});

const giveBack = (kind: 'refund' | 'dispute', reverses: string): Promise<unknown> =>
  test.dataSource.transaction((em) => test.ledger.reverseClawback(wallet, { kind, reverses }, em));

/** Changes data directly, and restores it for the next test. */
async function behindTheBack(change: string, undo: string): Promise<string[]> {
  const run = (sql: string) =>
    test.dataSource.transaction(async (em) => {
      await em.query("SET LOCAL session_replication_role = 'replica'");
      await em.query(sql.replaceAll('$payment', payment).replaceAll('$refund', refund).replaceAll('$dispute', dispute));
    });
  await run(change);
  const { lines } = await test.verifyLedger();
  await run(undo);
  expect(await test.verifyLedger()).toMatchObject({ problems: 0 });
  return lines;
}

it.each<[string, string, string, RegExp[]]>([
  [
    'what was refunded of a payment',
    "UPDATE payments SET refunded_cents = 10 WHERE id = '$payment'",
    "UPDATE payments SET refunded_cents = 20 WHERE id = '$payment'",
    [/^payment pay_\w+: 10 cents are refunded and 20 are returning, but its refunds add up to 20 and 20/],
  ],
  [
    'what goes back of a payment',
    "UPDATE payments SET returning_cents = 70 WHERE id = '$payment'",
    "UPDATE payments SET returning_cents = 20 WHERE id = '$payment'",
    [/: 20 cents are refunded and 70 are returning, but its refunds add up to 20 and 20/],
  ],
  [
    'the credits of a refund',
    "UPDATE payment_refunds SET credits = 199 WHERE id = '$refund'",
    "UPDATE payment_refunds SET credits = 200 WHERE id = '$refund'",
    [
      /^refund:refund_\w+: 200 credits are clawed back and 0 of them are debt, but its row says 199 and 0/,
      /: 599 credits are clawed back, but 600 are due/,
    ],
  ],
  [
    'the debt of a dispute',
    "UPDATE payment_disputes SET debt = 299 WHERE id = '$dispute'",
    "UPDATE payment_disputes SET debt = 300 WHERE id = '$dispute'",
    [/^dispute:dispute_\w+: 400 credits are clawed back and 300 of them are debt, but its row says 400 and 299/],
  ],
  [
    'a dispute that was won and kept its credits',
    "UPDATE payment_disputes SET returned_at = now() WHERE id = '$dispute'",
    "UPDATE payment_disputes SET returned_at = NULL WHERE id = '$dispute'",
    [/^payment pay_\w+: 600 credits are clawed back, but 200 are due/],
  ],
  [
    'a refund that failed and kept its credits',
    "UPDATE payment_refunds SET status = 'failed' WHERE id = '$refund'",
    "UPDATE payment_refunds SET status = 'succeeded' WHERE id = '$refund'",
    [
      /: 20 cents are refunded and 20 are returning, but its refunds add up to 0 and 0/,
      /: 600 credits are clawed back, but 400 are due/,
    ],
  ],
  [
    'money that took too few credits',
    "UPDATE payment_disputes SET amount_cents = 41 WHERE id = '$dispute'",
    "UPDATE payment_disputes SET amount_cents = 40 WHERE id = '$dispute'",
    [/^payment pay_\w+: 600 credits are clawed back, but 610 are due/],
  ],
])('finds %s', async (_what, change, undo, expected) => {
  expect(await behindTheBack(change, undo)).toEqual(expected.map((line): unknown => expect.stringMatching(line)));
});

it('finds one credit too many, also where refund and ledger agree about it', async () => {
  const movement = { key: `refund:${refund}:2`, kind: 'refund', source: 'topup', amount: 1 } as const;
  await test.dataSource.transaction((em) => test.ledger.clawBack(wallet, movement, em));
  await test.query('UPDATE payment_refunds SET credits = 201, debt = 1, movements = 2 WHERE id = $1', [refund]);
  expect((await test.verifyLedger()).lines).toEqual([
    expect.stringMatching(/^payment pay_\w+: 601 credits are clawed back, but 600 are due for its refunded money/),
  ]);
  await giveBack('refund', movement.key);
  await test.query('UPDATE payment_refunds SET credits = 200, debt = 0 WHERE id = $1', [refund]);
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});

it('finds a dispute whose credits came back unasked, and nothing where that is right', async () => {
  await giveBack('dispute', `dispute:${dispute}`);
  expect((await test.verifyLedger()).lines).toEqual([
    expect.stringMatching(
      /^dispute:dispute_\w+: 0 credits are clawed back and 0 of them are debt, but its row says 400 and 300/,
    ),
  ]);
  await test.query('UPDATE payment_disputes SET returned_at = now(), credits = 0, debt = 0 WHERE id = $1', [dispute]);
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});

it('compares nothing of a user who was erased with the money', async () => {
  await test.dataSource.transaction((em) => test.ledger.closeWallet(wallet, em));
  await test.query('UPDATE payment_disputes SET returned_at = now() WHERE id = $1', [dispute]);
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});

it('finds credits that were taken for no refund', async () => {
  const movement = { key: `refund:${newId('refund')}`, kind: 'refund', source: 'topup', amount: 7 } as const;
  await test.dataSource.transaction((em) => test.ledger.clawBack(wallet, movement, em));
  expect((await test.verifyLedger()).lines).toEqual([
    expect.stringMatching(
      /^refund:refund_\w+: 7 credits are clawed back and 7 of them are debt, but its row says 0 and 0/,
    ),
  ]);
});
