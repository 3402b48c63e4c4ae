import { credit, debit, reservation, LedgerTest, newKey, reversal, capture } from '../testing/ledger-test.js';

let test: LedgerTest;
beforeAll(async () => {
  test = await LedgerTest.start();
});
afterAll(() => test.stop());

const crossings = (id: string) =>
  test.query<{ seq: string }>('SELECT seq FROM wallet_crossings WHERE wallet_id = $1 ORDER BY seq', [id]);
const setMark = (id: string, mark: number | null) =>
  test.query('UPDATE wallets SET low_mark = $2 WHERE id = $1', [id, mark]);

async function watched(amount: number, mark: number): Promise<string> {
  const id = await test.createFilledWallet(amount);
  await setMark(id, mark);
  return id;
}

describe('the mark of a wallet', () => {
  it('stays what it is, whatever moves the wallet', async () => {
    const id = await watched(1_000, 100);
    const { ledger } = test;
    const spent = debit(10);
    const [settled, released] = [reservation(20), reservation(30)];
    await ledger.debit(id, spent);
    await Promise.all(Array.from({ length: 5 }, () => ledger.debit(id, debit(1))));
    await ledger.reserve(id, settled);
    await ledger.capture(id, capture(settled.id, 15));
    await ledger.reserve(id, released);
    await ledger.release(id, released.id);
    await ledger.reverse(id, reversal(spent.key, 10));
    await ledger.credit(id, credit(7, { expiresAt: new Date(Date.now() - 1_000) }));
    await ledger.debit(id, debit(5_000, { shortfall: 'debt' }));
    await ledger.credit(id, credit(9_000));
    await test.query('SELECT ledger_sweep($1)', [id]);
    expect(await test.readWallet(id)).toMatchObject({ low_mark: '100' });
    await test.query('SELECT ledger_close($1)', [id]);
    expect(await test.readWallet(id)).toMatchObject({ low_mark: '100', balance: '0' });
  });

  it('is crossed by what falls below it, once until it is above again', async () => {
    const id = await watched(1_000, 100);
    await test.ledger.debit(id, debit(900));
    expect(await crossings(id)).toEqual([]);
    await test.ledger.debit(id, debit(1));
    await test.ledger.debit(id, debit(50));
    expect(await crossings(id)).toEqual([{ seq: '3' }]);
    await test.ledger.credit(id, credit(51));
    const held = reservation(10);
    await test.ledger.reserve(id, held);
    expect(await crossings(id)).toHaveLength(1);
    await test.ledger.capture(id, capture(held.id, 10));
    expect(await crossings(id)).toEqual([{ seq: '3' }, { seq: '6' }]);
  });

  it('is crossed once by 100 debits at once, also by those of one statement', async () => {
    const id = await watched(1_000, 100);
    await Promise.all(Array.from({ length: 100 }, () => test.ledger.debit(id, debit(10))));
    expect(await crossings(id)).toHaveLength(1);
    expect(await test.readWallet(id)).toMatchObject({ balance: '0', low_mark: '100' });
  });

  it('that rises above the balance is crossed; nobody watches one that there is not', async () => {
    const id = await watched(1_000, 100);
    await setMark(id, 2_000);
    expect(await crossings(id)).toHaveLength(1);
    const other = await test.createFilledWallet(1_000);
    await setMark(other, null);
    await test.ledger.debit(other, debit(1_000));
    expect(await crossings(other)).toEqual([]);
  });

  it('goes with the movement that is rolled back', async () => {
    const id = await watched(1_000, 100);
    const failed = test.dataSource.transaction(async (em) => {
      await test.ledger.debit(id, debit(950), em);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await crossings(id)).toEqual([]);
  });
});

it('is a tenth of what the plan brings, and follows the plan; wallets of earnings have none', async () => {
  await test.query(
    `INSERT INTO plans (id, version, name, price_cents, "interval", included_tokens, features, limits, rank, self_service)
     SELECT id, 1, id, 0, 'month', tokens, '{}', '{}', 0, false FROM (VALUES ('free', 1000), ('large', 30009)) AS p (id, tokens)
     ON CONFLICT DO NOTHING`,
  );
  const user = await test.createUser();
  const [wallet, earnings] = [await test.wallets.ensureWallet(user), await test.wallets.ensureWallet(user, 'earnings')];
  const mark = async (id = wallet) => (await test.readWallet(id)).low_mark;
  expect([await mark(), await mark(earnings)]).toEqual(['100', null]);
  await test.query(
    `INSERT INTO subscriptions (id, tenant_id, user_id, plan_id, plan_version, status, started_at, anchor_at, period_number, period_starts_at, period_ends_at)
     VALUES ($1, 'default', $2, 'large', 1, 'incomplete', now(), now(), 1, now(), now() + interval '1 month')`,
    [newKey('sub'), user],
  );
  expect(await mark()).toBe('100');
  await test.query("UPDATE subscriptions SET status = 'active' WHERE user_id = $1", [user]);
  expect(await mark()).toBe('3000');
  await test.dataSource.transaction(async (em) => {
    await em.query('SET LOCAL search_path TO pg_catalog'); // a writer that uses qualified table names
    await em.query("UPDATE gateway.subscriptions SET status = 'canceled' WHERE user_id = $1", [user]);
    await em.query("UPDATE gateway.subscriptions SET status = 'active' WHERE user_id = $1", [user]);
  });
  expect(await mark()).toBe('3000');
  await test.query("UPDATE subscriptions SET status = 'past_due' WHERE user_id = $1", [user]);
  expect(await mark()).toBe('3000');
  await test.query("UPDATE subscriptions SET status = 'expired' WHERE user_id = $1", [user]);
  expect(await mark()).toBe('100');
  expect(await mark(earnings)).toBeNull();
});

it('a column that is added later breaks no function that a connection has called before', async () => {
  const id = await watched(1_000, 100);
  const runner = test.dataSource.createQueryRunner();
  const move = (name: string, item: object) =>
    runner.query(`SELECT outcome FROM ${name}($1, $2)`, [id, JSON.stringify([item])]);
  const spend = () => move('ledger_debit', { ...debit(10), counter: 'usage' });
  try {
    expect(await spend()).toEqual([{ outcome: 'done' }]);
    await move('ledger_hold', reservation(10));
    await test.query('ALTER TABLE wallets ADD COLUMN later bigint');
    expect(await spend()).toEqual([{ outcome: 'done' }]);
    expect(await move('ledger_hold', reservation(10))).toEqual([{ outcome: 'done' }]);
    expect(
      await runner.query('SELECT wallet_available(w)::int AS available FROM wallets w WHERE id = $1', [id]),
    ).toEqual([{ available: 960 }]);
    expect(await test.readWallet(id)).toMatchObject({ balance: '980', low_mark: '100' });
  } finally {
    await runner.release();
  }
});
