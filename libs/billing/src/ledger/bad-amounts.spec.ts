import { MAX_CREDITS } from '@platform/contracts';
import { credit, debit, reservation, LedgerTest, reversal, capture } from '../testing/ledger-test.js';

const CREDITS_AT_ONCE = 500;

let test: LedgerTest;
let id: string;
const paid = debit(10);
const held = reservation(10);
beforeAll(async () => {
  test = await LedgerTest.start();
  id = await test.createFilledWallet(100);
  await test.ledger.debit(id, paid);
  await test.ledger.reserve(id, held);
});
afterAll(() => test.stop());

/** Amounts that a JavaScript program can pass. */
const BAD: [string, unknown][] = [
  ['0', 0],
  ['-5', -5],
  ['0.5', 0.5],
  ['1e12 + 1', MAX_CREDITS + 1],
  ['2^53', 2 ** 53],
  ['"1e3"', '1e3'],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['2^64', 2 ** 64],
  ['null', null],
];

describe.each(BAD)('fault 15: an amount of %s', (_name, amount) => {
  const bad = amount as number;

  it('is refused in every movement, and changes nothing', async () => {
    const { ledger } = test;
    const before = await test.readWallet(id);
    await expect(ledger.credit(id, credit(bad))).rejects.toThrow();
    await expect(ledger.debit(id, debit(bad))).rejects.toThrow();
    await expect(ledger.debit(id, debit(bad, { shortfall: 'debt' }))).rejects.toThrow();
    await expect(ledger.reserve(id, reservation(bad))).rejects.toThrow();
    await expect(ledger.capture(id, capture(held.id, bad))).rejects.toThrow();
    await expect(ledger.reverse(id, reversal(paid.key, bad))).rejects.toThrow();
    expect(await test.readWallet(id)).toEqual(before);
  });
});

it('refuses to settle more than is held', async () => {
  await expect(test.ledger.capture(id, capture(held.id, 11))).rejects.toThrow('of 10 credits, not of 11');
});

describe('fault 15: a wallet near the largest balance', () => {
  const most = Math.floor(Number.MAX_SAFE_INTEGER / MAX_CREDITS);
  let rich: string;
  beforeAll(async () => {
    rich = await test.createWallet();
    const expiresAt = new Date(Date.now() + 3_600_000);
    await test.ledger.credit(rich, credit(MAX_CREDITS, { expiresAt }));
    // Splits the statements, because a session limits their duration.
    for (let n = 1; n < most; n += CREDITS_AT_ONCE) {
      await test.query(
        `SELECT FROM ledger_credit($1, (SELECT jsonb_agg(jsonb_build_object('key', 'rich:' || n, 'amount', $2::bigint, 'kind', 'topup',
           'counter', 'provider', 'source', 'adjustment', 'priority', 30, 'earns', false, 'expires_at', $5::text)) FROM generate_series($3::int, $4::int) n))`,
        [rich, MAX_CREDITS, n, Math.min(n + CREDITS_AT_ONCE, most) - 1, expiresAt],
      );
    }
  });

  it('takes no credit beyond that, and all other movements', async () => {
    const balance = most * MAX_CREDITS;
    expect(await test.readWallet(rich)).toMatchObject({ balance: String(balance), available: balance });
    const before = await test.listBookings(rich);
    await expect(test.ledger.credit(rich, credit(MAX_CREDITS))).rejects.toThrow('wallets_balance_check');
    expect(await test.listBookings(rich)).toHaveLength(before.length);
    expect(await test.ledger.debit(rich, debit(MAX_CREDITS))).toMatchObject({
      outcome: 'done',
      balanceAfter: balance - MAX_CREDITS,
    });
    expect(await test.ledger.credit(rich, credit(MAX_CREDITS - 1))).toMatchObject({
      outcome: 'done',
      balanceAfter: balance - 1,
    });
  });

  it('loses in one entry what has expired, however much that is', async () => {
    await test.moveTimeAhead('1 hour');
    await test.query('SELECT ledger_sweep($1)', [rich]);
    const entries = await test.listHistory(rich);
    expect(entries.at(-1)).toEqual(['expiry', -(most - 1) * MAX_CREDITS]);
    expect(await test.readWallet(rich)).toMatchObject({ balance: String(MAX_CREDITS - 1) });
    await test.moveTimeAhead('0');
  });
});

it('left a ledger in which everything adds up', async () => {
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});
