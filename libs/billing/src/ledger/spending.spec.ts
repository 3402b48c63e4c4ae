import { reservation, LedgerTest, capture } from '../testing/ledger-test.js';
import type { SpendingClass } from './spending-class.js';

let test: LedgerTest;
beforeAll(async () => (test = await LedgerTest.start()));
beforeEach(() => test.setTime('2031-05-11T12:00:00Z'));
afterAll(() => test.stop());

const limited = async (id: string, unattended: number | null, otherApps: number | null) =>
  test.query(
    'INSERT INTO spending_limits (user_id, unattended, other_apps) SELECT user_id, $2, $3 FROM wallets WHERE id = $1',
    [id, unattended, otherApps],
  );
const spent = async (id: string) =>
  Object.fromEntries(
    (
      await test.query<{ class: SpendingClass; spent: string }>(
        'SELECT class, sum(spent) AS spent FROM spending WHERE wallet_id = $1 GROUP BY 1',
        [id],
      )
    ).map((row) => [row.class, Number(row.spent)]),
  );

it('spends nothing for an absent user, and 1,000 in a month by other apps, unless the user allows more', async () => {
  const id = await test.createFilledWallet(10_000);
  expect(await test.ledger.reserve(id, reservation(1, { spendingClass: 'unattended' }))).toMatchObject({
    outcome: 'spending_limit',
    available: 0,
  });
  expect(await test.ledger.reserve(id, reservation(1_000, { spendingClass: 'other_apps' }))).toMatchObject({
    outcome: 'done',
  });
  expect(await test.ledger.reserve(id, reservation(1, { spendingClass: 'other_apps' }))).toMatchObject({
    outcome: 'spending_limit',
    available: 0,
  });
  expect(await test.ledger.reserve(id, reservation(5_000))).toMatchObject({ outcome: 'done' });
  await limited(id, null, 1_500);
  expect(await test.ledger.reserve(id, reservation(500, { spendingClass: 'other_apps' }))).toMatchObject({
    outcome: 'done',
  });
  expect(await test.ledger.reserve(id, reservation(3_000, { spendingClass: 'unattended' }))).toMatchObject({
    outcome: 'done',
  });
  expect(await spent(id)).toEqual({ other_apps: 1_500, unattended: 3_000 });
});

it('lets exactly as many of 200 calls at once spend as the limit allows', async () => {
  const id = await test.createFilledWallet(10_000);
  await limited(id, 50, 0);
  const results = await Promise.all(
    Array.from({ length: 200 }, () => test.ledger.reserve(id, reservation(1, { spendingClass: 'unattended' }))),
  );
  expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(50);
  expect(results.filter(({ outcome }) => outcome === 'spending_limit')).toHaveLength(150);
});

it('counts what was spent: what is released, expires or is not used comes back', async () => {
  const id = await test.createFilledWallet(10_000);
  await limited(id, 100, 0);
  const [one, other, third] = [60, 30, 10].map((amount) => reservation(amount, { spendingClass: 'unattended' }));
  for (const made of [one, other, third])
    expect(await test.ledger.reserve(id, made as never)).toMatchObject({ outcome: 'done' });
  await test.ledger.capture(id, capture(one?.id as string, 25));
  await test.ledger.release(id, other?.id as string);
  expect(await spent(id)).toEqual({ unattended: 35 });
  await test.setTime('2031-05-11T12:02:00Z');
  await test.query('SELECT ledger_sweep($1)', [id]);
  expect(await spent(id)).toEqual({ unattended: 25 });
  expect(await test.ledger.reserve(id, reservation(76, { spendingClass: 'unattended' }))).toMatchObject({
    outcome: 'spending_limit',
    available: 75,
  });
});

it('begins anew with the month, and gives back to the month of the hold', async () => {
  const id = await test.createFilledWallet(10_000);
  await limited(id, 100, 0);
  const one = reservation(100, { spendingClass: 'unattended', seconds: 40 * 86_400 });
  await test.ledger.reserve(id, one);
  await test.setTime('2031-06-11T12:00:00Z');
  expect(await test.ledger.reserve(id, reservation(100, { spendingClass: 'unattended' }))).toMatchObject({
    outcome: 'done',
  });
  await test.ledger.release(id, one.id);
  const months = await test.query<{ spent: string }>('SELECT spent FROM spending WHERE wallet_id = $1 ORDER BY month', [
    id,
  ]);
  expect(months.map(({ spent }) => Number(spent))).toEqual([0, 100]);
});

it('left a ledger in which everything adds up', async () => {
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});
