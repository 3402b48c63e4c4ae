import fc from 'fast-check';
import { credit, hold, LedgerTest, newKey } from '../testing/ledger-test.js';

let test: LedgerTest;
beforeAll(async () => (test = await LedgerTest.start()));
afterAll(() => test.stop());

interface Item {
  key: string;
  amount: number;
  kind: string;
  counter: string;
  [field: string]: unknown;
}

/** As the database answers. */
const debits = (walletId: string, items: readonly Item[]) =>
  test.query<Record<string, string | null>>('SELECT * FROM ledger_debit($1, $2)', [walletId, JSON.stringify(items)]);
const item = (amount: number, more: object = {}): Item => ({
  key: newKey('debit'),
  amount,
  kind: 'call_charge',
  counter: 'usage',
  ...more,
});

/** What a wallet has come to, without its id, its keys and its times. */
async function outcomeOf(id: string, developer: string) {
  const { balance, held, debt, seq, lots, closed_at } = await test.stored(id);
  const entries = (await test.entries(id)).map(({ wallet_id: _id, idem_key: _key, at: _at, recorded_at: _recordedAt, ...entry }) => entry);
  const due = await test.query<object>('SELECT seq FROM commission_due WHERE wallet_id = $1 AND developer_id = $2 ORDER BY seq', [
    id,
    developer,
  ]);
  const debts = await test.query<object>('SELECT amount, kind FROM ledger_debts WHERE wallet_id = $1 ORDER BY amount', [id]);
  return { balance, held, debt, seq, lots, isClosed: closed_at !== null, entries, due, debts };
}

const WALLETS = fc.record({
  lots: fc.array(
    fc.record({ amount: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1_000, max: 3_000 })), earns: fc.boolean() }),
    {
      maxLength: 3,
    },
  ),
  held: fc.oneof(fc.nat(100), fc.integer({ min: 500, max: 3_000 })),
  isClosed: fc.nat(9).map((n) => n === 7),
});
const rarely = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const DEBITS = fc.array(
  fc.record({
    amount: fc.integer({ min: 1, max: 150 }),
    hasShare: fc.boolean(),
    base: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
    shortfall: rarely(fc.constant('debt' as const)),
    repeats: rarely(fc.nat(10)),
  }),
  { minLength: 2, maxLength: 8 },
);

it('many debits at once come to what they come to one by one', async () => {
  const developer = await test.user();
  let allMade = 0;
  await fc.assert(
    fc.asyncProperty(WALLETS, DEBITS, async (wallet, wanted) => {
      const [together, oneByOne] = [await test.wallet(), await test.wallet()];
      const items: Item[] = [];
      for (const { amount, hasShare, base, shortfall, repeats } of wanted) {
        const before = repeats === undefined ? undefined : items[repeats % (items.length || 1)];
        const share = {
          app_id: 'app',
          function: 'make',
          price_version: 1,
          developer_id: developer,
          split: 70,
          base: base && Math.min(base, amount),
        };
        items.push(before ?? item(amount, { ...(hasShare && share), ...(shortfall && { shortfall }) }));
      }
      for (const id of [together, oneByOne]) {
        for (const { amount, earns } of wallet.lots)
          await test.ledger.credit(id, credit(amount, { earns, source: earns ? 'topup' : 'promo' }));
        if (wallet.held) await test.ledger.hold(id, hold(wallet.held));
        if (wallet.isClosed) await test.dataSource.transaction((em) => test.ledger.close(id, em));
      }
      const ofOther = items.map((one) => ({ ...one, key: `${one.key}:other` }));
      const answers = await debits(together, items);
      const expected: Record<string, string | null>[] = [];
      for (const one of ofOther) expected.push(...(await debits(oneByOne, [one])));
      expect(answers).toEqual(expected);
      expect(await outcomeOf(together, developer)).toEqual(await outcomeOf(oneByOne, developer));
      if (answers.every(({ outcome }) => outcome === 'done')) allMade++;
    }),
    { numRuns: 80 },
  );
  expect(allMade).toBeGreaterThan(5); // else only refusals were compared
  expect(await test.verify()).toMatchObject({ problems: 0, lines: [] });
});

describe('of a hundred debits', () => {
  const hundred = (more: object = {}) => Array.from({ length: 100 }, () => item(1, more));

  it.each([
    ['the last credit is not spent', 101, 'done'],
    ['the lot is used up', 100, 'done'],
    ['one has no credit left', 99, 'insufficient'],
  ])('%s', async (_what, credits, last) => {
    const id = await test.filled(credits);
    const answers = await debits(id, hundred());
    expect(answers.map(({ outcome }) => outcome)).toEqual([...Array<string>(99).fill('done'), last]);
    expect(await test.stored(id)).toMatchObject({ balance: String(Math.max(credits - 100, 0)) });
  });

  it('what is held is left', async () => {
    const id = await test.filled(1_000);
    await test.ledger.hold(id, hold(950));
    const outcomes = (await debits(id, hundred())).map(({ outcome }) => outcome);
    expect(outcomes).toEqual([...Array<string>(50).fill('done'), ...Array<string>(50).fill('insufficient')]);
  });

  it('nothing is made where one has an amount that is none, or a key of another wallet comes at the same time', async () => {
    const id = await test.filled(1_000);
    for (const amount of [0, -1, 1.5, 1_000_000_000_001]) await expect(debits(id, [...hundred(), item(amount)])).rejects.toThrow();
    expect(await test.stored(id)).toMatchObject({ balance: '1000', seq: '1' });
    const other = await test.filled(1_000);
    const [taken] = hundred();
    if (taken) await debits(other, [taken]);
    const answers = await debits(id, [...hundred().slice(1), taken as Item]);
    expect(answers.at(-1)).toMatchObject({ outcome: 'key_reused' });
    expect(await test.stored(id)).toMatchObject({ balance: '901', seq: '100' });
  });
});
