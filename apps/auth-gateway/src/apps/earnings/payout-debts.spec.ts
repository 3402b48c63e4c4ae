import { CommissionsService, LedgerService, WalletsRepository } from '@platform/billing';
import type { EarningsResponse, OpenPayoutResponse, PayoutResponse, TopUpResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import { HeldLock, type TestClient } from '@platform/testing';
import { giveEarnings } from '../../testing/charges.js';
import { newDeveloper, type TestDeveloper } from '../../testing/developers.js';
import { GatewayWithPayments } from '../../testing/gateway-with-payments.js';
import { ledgerProblems } from '../../testing/wallets.js';

let test: GatewayWithPayments;
let admin: TestClient;
beforeAll(async () => {
  test = await GatewayWithPayments.start();
  admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
});
afterEach(async () => {
  expect(await ledgerProblems(test.gateway)).toEqual([]);
});
afterAll(() => test.stop());

type Answer = PayoutResponse & { code: string; debt: number; available: number };
const ask = ({ client }: TestDeveloper, amount: number) => client.post<Answer>('/v1/developer/payouts', { amount });
const decide = (id: number, decision: string, body: object = {}) =>
  admin.post<Answer>(`/v1/admin/payouts/${id}/${decision}`, body);
const listed = async (id: number, status = 'pending') =>
  (await admin.get<OpenPayoutResponse[]>(`/v1/admin/payouts/pending?status=${status}&limit=500`)).body.find(
    (one) => one.id === id,
  );
const availableOf = async ({ client }: TestDeveloper) =>
  (await client.get<EarningsResponse>('/v1/developer/earnings')).body.available;
const walletOf = ({ user }: TestDeveloper) => test.gateway.service.app.get(WalletsRepository).ensureWallet(user.id);
const debtOf = async ({ user }: TestDeveloper): Promise<number> => {
  const [row] = await test.gateway.service.query<{ debt: string }>(
    "SELECT debt FROM wallets WHERE user_id = $1 AND kind = 'user'",
    [user.id],
  );
  return Number(row?.debt);
};
const chargeOf = (intentId: string): string =>
  test.stripe.state.find('payment_intent', intentId)?.latest_charge as string;

/**
 * A developer with 10,000 credits that were bought and spent, and that a dispute can still take
 * back. Returns the charge.
 */
async function spender(): Promise<{ developer: TestDeveloper; charge: string }> {
  const developer = await newDeveloper(test.gateway, 'indie');
  const { body } = await developer.client.post<TopUpResponse>('/v1/billing/topup', {
    tokens: 10_000,
    price_cents: 1_000,
  });
  await test.pay(body.payment_intent_id, body.client_secret);
  await test.settled();
  const debit = { key: newId('test'), amount: 10_000, kind: 'call_charge' } as const;
  await test.gateway.service.app.get(LedgerService).debit(await walletOf(developer), debit);
  return { developer, charge: chargeOf(body.payment_intent_id) };
}

async function dispute(charge: string): Promise<void> {
  test.stripe.openDispute(charge);
  await test.settled();
}

it('does not approve a payout that was asked for before a dispute, shows the debt, and pays it once the payout is rejected', async () => {
  const { developer, charge } = await spender();
  await giveEarnings(test.gateway, developer.user.id, 12_000);
  const { body: payout } = await ask(developer, 12_000);
  await dispute(charge);
  expect(await listed(payout.id)).toMatchObject({ tokens: 12_000, debt: 10_000 });
  expect(await decide(payout.id, 'approve')).toMatchObject({
    status: 409,
    body: { code: 'payout.debt', debt: 10_000 },
  });
  expect(await listed(payout.id)).toMatchObject({ status: 'pending' });
  expect((await decide(payout.id, 'reject')).status).toBe(200);
  expect(await debtOf(developer)).toBe(0);
  expect(await availableOf(developer)).toBe(2_000);
});

it('pays out none of the earnings that a debt needs, whether they come before or after it', async () => {
  const { developer, charge } = await spender();
  await giveEarnings(test.gateway, developer.user.id, 4_000);
  await test.gateway.service.app.get(CommissionsService).bookDueShares();
  await dispute(charge);
  expect(await debtOf(developer)).toBe(6_000);
  await giveEarnings(test.gateway, developer.user.id, 17_000);
  expect(await availableOf(developer)).toBe(11_000);
  expect(await ask(developer, 12_000)).toMatchObject({
    status: 400,
    body: { code: 'payout.too_much', available: 11_000 },
  });
  const { status, body: payout } = await ask(developer, 11_000);
  expect(status).toBe(201);
  expect(await debtOf(developer)).toBe(0);
  expect(await listed(payout.id)).toMatchObject({ debt: 0 });
  expect(await decide(payout.id, 'approve')).toMatchObject({ status: 200, body: { status: 'approved' } });
});

it('approves a payout whose developer has earned what they owe meanwhile', async () => {
  const { developer, charge } = await spender();
  await giveEarnings(test.gateway, developer.user.id, 12_000);
  const { body: payout } = await ask(developer, 12_000);
  await dispute(charge);
  await giveEarnings(test.gateway, developer.user.id, 15_000);
  const answers = [await decide(payout.id, 'approve'), await decide(payout.id, 'approve')];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect([await debtOf(developer), await availableOf(developer)]).toEqual([0, 5_000]);
});

it('of a developer is approved though another one owes something', async () => {
  const { charge } = await spender();
  await dispute(charge);
  const developer = await newDeveloper(test.gateway, 'indie');
  await giveEarnings(test.gateway, developer.user.id, 12_000);
  const { body: payout } = await ask(developer, 12_000);
  expect((await decide(payout.id, 'approve')).status).toBe(200);
});

it.each(['dispute', 'approval'] as const)(
  'and a dispute at once, the %s first: what is approved had no debt',
  async (first) => {
    const { developer, charge } = await spender();
    await giveEarnings(test.gateway, developer.user.id, 12_000);
    const { body: payout } = await ask(developer, 12_000);
    const lock = await HeldLock.acquire(
      test.gateway.service,
      'SELECT FROM wallets WHERE user_id = $1 ORDER BY id FOR UPDATE',
      [developer.user.id],
    );
    const ways = { dispute: () => dispute(charge), approval: () => decide(payout.id, 'approve') };
    const begun: Promise<unknown>[] = [ways[first]()];
    await lock.waitForBlocked(1);
    begun.push(ways[first === 'dispute' ? 'approval' : 'dispute']());
    await lock.waitForBlocked(2);
    await lock.release();
    const answers = await Promise.all(begun);
    const approval = answers[first === 'approval' ? 0 : 1] as Awaited<ReturnType<typeof decide>>;
    expect(approval).toMatchObject(
      first === 'approval' ? { status: 200 } : { status: 409, body: { code: 'payout.debt', debt: 10_000 } },
    );
    expect(await listed(payout.id, first === 'approval' ? 'approved' : 'pending')).toMatchObject({ debt: 10_000 });
  },
);

it('has one outcome when one administrator approves and another rejects while the developer earns', async () => {
  const { developer, charge } = await spender();
  await giveEarnings(test.gateway, developer.user.id, 12_000);
  const { body: payout } = await ask(developer, 12_000);
  await dispute(charge);
  await giveEarnings(test.gateway, developer.user.id, 10_000);
  const [approved, rejected] = await Promise.all([decide(payout.id, 'approve'), decide(payout.id, 'reject')]);
  expect([approved.status, rejected.status].sort()).toEqual([200, 409]);
  expect(await debtOf(developer)).toBe(0);
  expect(await availableOf(developer)).toBe(approved.status === 200 ? 0 : 12_000);
});

it('shows how much of it was earned in the days in which cards are disputed, the oldest earnings first', async () => {
  const developer = await newDeveloper(test.gateway, 'indie');
  const { id } = developer.user;
  await test.setTime('2031-01-01T12:00:00Z');
  await giveEarnings(test.gateway, id, 15_000);
  await test.setTime('2031-05-01T12:00:00Z'); // 120 days later
  const { body: old } = await ask(developer, 10_000);
  expect(await listed(old.id)).toMatchObject({ disputable_tokens: 10_000 });
  await test.setTime('2031-05-02T12:00:00Z');
  expect(await listed(old.id)).toMatchObject({ disputable_tokens: 0 });
  await giveEarnings(test.gateway, id, 20_000);
  const { body: mixed } = await ask(developer, 12_000);
  expect(await listed(mixed.id)).toMatchObject({ disputable_tokens: 7_000 });
  await giveEarnings(test.gateway, id, 20_000);
  const { body: young } = await ask(developer, 10_000);
  expect(await listed(young.id)).toMatchObject({ disputable_tokens: 10_000 });
  await test.setTime('2031-09-01T12:00:00Z');
  expect(await listed(mixed.id)).toMatchObject({ disputable_tokens: 0 });
});
