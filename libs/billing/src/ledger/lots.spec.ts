import { credit, debit, LedgerTest } from '../testing/ledger-test.js';
import type { LotSource } from './lot.js';
import type { Credit } from './movements.js';

let test: LedgerTest;
beforeAll(async () => (test = await LedgerTest.start()));
afterAll(() => test.stop());

const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);
const lot = (source: LotSource, amount: number, more: Partial<Credit> = {}) => credit(amount, { source, ...more });

it('spends by priority, then what expires first, then what does not earn, and the entry keeps what was taken', async () => {
  const id = await test.createWallet();
  const [soon, later] = [inDays(1), inDays(2)];
  const credits = [
    lot('topup', 5, { earns: true }),
    lot('adjustment', 4),
    lot('adjustment', 4, { earns: true }),
    lot('promo', 3, { expiresAt: later }),
    lot('promo', 3, { expiresAt: soon }),
    lot('plan', 2, { expiresAt: later }),
    lot('promo', 3),
  ];
  for (const one of credits) await test.ledger.credit(id, one);
  await test.ledger.debit(id, debit(7));
  await test.ledger.debit(id, debit(16));
  const taken = (await test.listBookings(id))
    .slice(-2)
    .map(({ lots }) => lots.map(({ source, amount, earns }) => [source, amount, earns]));
  expect(taken).toEqual([
    [
      ['plan', 2, false],
      ['promo', 3, false],
      ['promo', 2, false],
    ],
    [
      ['promo', 1, false],
      ['promo', 3, false],
      ['adjustment', 4, false],
      ['adjustment', 4, true],
      ['topup', 4, true],
    ],
  ]);
  expect((await test.readWallet(id)).lots).toMatchObject([
    { source: 'topup', amount: 1, earns: true, expires_at: null },
  ]);
});

it('keeps credits of one origin as one lot, so that a wallet does not grow with its credits', async () => {
  const id = await test.createWallet();
  const expiresAt = inDays(1);
  for (let n = 1; n <= 20; n++) await test.ledger.credit(id, lot('promo', n, { expiresAt }));
  expect((await test.readWallet(id)).lots).toMatchObject([{ source: 'promo', amount: 210 }]);
});

it('takes what is left of a lot to the last credit', async () => {
  const id = await test.createFilledWallet(10);
  expect(await test.ledger.debit(id, debit(10))).toMatchObject({ outcome: 'done', available: 0 });
  expect((await test.readWallet(id)).lots).toEqual([]);
  expect(await test.ledger.debit(id, debit(1))).toMatchObject({ outcome: 'insufficient' });
});

it('left a ledger in which everything adds up', async () => {
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});
