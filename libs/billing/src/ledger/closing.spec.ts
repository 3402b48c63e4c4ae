import { TenantData } from '@platform/persistence';
import { credit, debit, reservation, LedgerTest, reversal, capture } from '../testing/ledger-test.js';

let test: LedgerTest;
beforeAll(async () => (test = await LedgerTest.start()));
afterEach(() => test.moveTimeAhead('0'));
afterAll(() => test.stop());

const close = (id: string) => test.dataSource.transaction((em) => test.ledger.closeWallet(id, em));

it('leaves nothing, takes nothing, and pays only what was held', async () => {
  const id = await test.createFilledWallet(100);
  const paid = debit(10, { kind: 'payout' });
  const [one, other, third] = [reservation(30), reservation(20), reservation(5)];
  await test.ledger.debit(id, paid);
  for (const made of [one, other, third]) await test.ledger.reserve(id, made);
  await close(id);
  await close(id);
  expect(await test.readWallet(id)).toMatchObject({ balance: '55', held: '55', available: 0 });
  const closed = { outcome: 'closed', available: 0 };
  expect(await test.ledger.credit(id, credit(1))).toMatchObject(closed);
  expect(await test.ledger.debit(id, debit(1))).toMatchObject(closed);
  expect(await test.ledger.debit(id, debit(1, { shortfall: 'debt' }))).toMatchObject(closed);
  expect(await test.ledger.reserve(id, reservation(1))).toMatchObject(closed);
  expect(await test.ledger.reverse(id, reversal(paid.key, 10))).toMatchObject(closed);
  // Movements from before the closing are still replayed.
  expect(await test.ledger.debit(id, paid)).toMatchObject({ outcome: 'replayed', amount: -10 });
  expect(await test.ledger.capture(id, capture(one.id, 25))).toMatchObject({ outcome: 'done', available: 0 });
  expect(await test.ledger.release(id, other.id)).toMatchObject({ outcome: 'done', available: 0 });
  await test.moveTimeAhead('61 seconds');
  await test.query('SELECT ledger_sweep($1)', [id]);
  expect(await test.readWallet(id)).toMatchObject({ balance: '0', held: '0', lots: [] });
  expect(await test.listHistory(id)).toEqual([
    ['admin_adjustment', 100],
    ['payout', -10],
    ['closure', -35],
    ['call_charge', -25],
    ['closure', -5],
    ['closure', -20],
    ['closure', -5],
  ]);
});

it('closes all wallets of a user who is erased, and no other', async () => {
  const user = await test.createUser();
  const [own, earnings, other] = [
    await test.wallets.ensureWallet(user),
    await test.wallets.ensureWallet(user, 'earnings'),
    await test.createFilledWallet(5),
  ];
  for (const id of [own, earnings]) await test.ledger.credit(id, credit(10));
  await test.dataSource.transaction((em) => test.wallets.closeAllWallets(new TenantData(em, 'default'), user));
  expect(await test.readWallet(own)).toMatchObject({ balance: '0', closed_at: expect.any(Date) as Date });
  expect(await test.readWallet(earnings)).toMatchObject({ balance: '0', closed_at: expect.any(Date) as Date });
  expect(await test.readWallet(other)).toMatchObject({ balance: '5', closed_at: null });
});

it('books commissions of a closed wallet of earnings, and they go to the platform', async () => {
  const developer = await test.createUser();
  const earnings = await test.wallets.ensureWallet(developer, 'earnings');
  const id = await test.createFilledWallet(100, { earns: true });
  await test.ledger.debit(id, debit(100, { charged: { appId: 'app', developer: { id: developer, split: 70 } } }));
  await close(earnings);
  await test.query('SELECT ledger_book_commissions($1, 100)', [earnings]);
  expect(await test.listHistory(earnings)).toEqual([
    ['commission', 70],
    ['closure', -70],
  ]);
});

it.each(['user', 'earnings'] as const)(
  'that is made for who was erased already (%s) is closed from the start',
  async (kind) => {
    const user = await test.createUser();
    await test.query('UPDATE users SET erased_at = now() WHERE id = $1', [user]);
    const id = await test.wallets.ensureWallet(user, kind);
    expect(await test.wallets.ensureWallet(user, kind)).toBe(id);
    expect(await test.ledger.credit(id, credit(1))).toMatchObject({ outcome: 'closed' });
    expect(await test.ledger.debit(id, debit(1, { shortfall: 'debt' }))).toMatchObject({ outcome: 'closed' });
    expect(await test.readWallet(id)).toMatchObject({ balance: '0', debt: '0', closed_at: expect.any(Date) as Date });
  },
);

it('left a ledger in which everything adds up', async () => {
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});
