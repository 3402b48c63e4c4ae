import { LedgerService, WalletsRepository } from '@platform/billing';
import type { AdjustWalletResponse, LedgerEntry } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { GatewayTest } from '../../testing/gateway-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';
import { createTenant } from '../../testing/tenants.js';
import { giveCredits } from '../../testing/wallets.js';

let gateway: GatewayTest;
let admin: TestClient;
let userId: string;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
});
beforeEach(async () => {
  userId = (await gateway.user()).id;
});
afterAll(() => gateway.stop());

const adjust = (body: object, client = admin, of = userId) =>
  client.post<AdjustWalletResponse>(`/v1/admin/wallets/${of}/adjust`, body);
const historyOf = async (): Promise<LedgerEntry[]> =>
  (await gateway.actingFor(userId).get<LedgerEntry[]>('/v1/billing/wallet/history')).body;
const lotsOf = async (): Promise<unknown> =>
  (
    await gateway.service.query<{ lots: unknown }>("SELECT lots FROM wallets WHERE user_id = $1 AND kind = 'user'", [
      userId,
    ])
  )[0]?.lots;

it('gives credits to somebody who has no wallet yet, and takes them again', async () => {
  const given = await adjust({ amount: 100, note: 'for the outage\nof yesterday' });
  expect(given).toMatchObject({ status: 200, body: { user_id: userId, amount: 100, balance: 100, held: 0, debt: 0 } });
  expect((await adjust({ amount: -40, note: 'too much' })).body).toMatchObject({ amount: -40, balance: 60 });
  const [taken, first] = await historyOf();
  expect(first).toMatchObject({
    transaction_id: given.body.transaction_id,
    amount: 100,
    reason: 'admin_adjustment',
    description: 'for the outage\nof yesterday',
  });
  expect(taken).toMatchObject({ amount: -40, reason: 'admin_adjustment', description: 'too much', balance_after: 60 });
  expect(await lotsOf()).toMatchObject([{ source: 'adjustment', earns: false, expires_at: null, amount: 60 }]);
});

it('gives credits that earn only where that is said', async () => {
  await adjust({ amount: 10, note: 'paid by invoice', earns: true });
  expect(await lotsOf()).toMatchObject([{ source: 'adjustment', earns: true, amount: 10 }]);
});

it('takes no more than there is to spend', async () => {
  const walletId = await giveCredits(gateway, userId, 100);
  await gateway.service.app.get(LedgerService).reserve(walletId, { id: 'act_of_adjustment', amount: 30, seconds: 900 });
  expect(await adjust({ amount: -71, note: 'x' })).toMatchObject({
    status: 409,
    body: { code: 'wallet.too_little', balance: 70 },
  });
  expect(await adjust({ amount: -70, note: 'x' })).toMatchObject({ status: 200, body: { balance: 0, held: 30 } });
});

it('pays a debt first', async () => {
  const walletId = await gateway.service.app.get(WalletsRepository).ensureWallet(userId);
  const debit = { key: 'owed', amount: 25, kind: 'action_charge', shortfall: 'debt' } as const;
  await gateway.service.app.get(LedgerService).debit(walletId, debit);
  expect(await adjust({ amount: -1, note: 'x' })).toMatchObject({
    status: 409,
    body: { code: 'wallet.too_little', balance: 0 },
  });
  expect(await adjust({ amount: 100, note: 'x' })).toMatchObject({
    status: 200,
    body: { amount: 100, balance: 75, debt: 0 },
  });
});

it('is in the audit log, with what was there before and after', async () => {
  await giveCredits(gateway, userId, 5);
  const { body } = await adjust({ amount: 10, note: 'because' });
  const entries = await gateway.service.query(
    "SELECT * FROM gateway_audit.audit_entries WHERE action = 'wallet.adjusted' AND target_id = $1",
    [userId],
  );
  expect(entries).toMatchObject([
    {
      target_type: 'wallet',
      tenant_id: 'default',
      before_state: { balance: 5 },
      after_state: { balance: 15 },
      metadata: { transaction_id: body.transaction_id, amount: 10, note: 'because', earns: false },
    },
  ]);
});

it('is made once of 20 that come at once and take all', async () => {
  await giveCredits(gateway, userId, 100);
  const answers = await Promise.all(Array.from({ length: 20 }, () => adjust({ amount: -100, note: 'x' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
});

it('is for the administrators of the platform and trusted backends, about users of every tenant', async () => {
  const { id: tenant_id } = await createTenant(gateway.backend());
  const stranger = await gateway.user({ tenant_id });
  const theirAdmin = await gateway.user({ tenant_id, role: 'admin' });
  const request = { amount: 1, note: 'x' };
  const clients = [admin, gateway.backend(), gateway.actingFor((await gateway.user({ role: 'admin' })).id)];
  for (const client of clients) expect((await adjust(request, client, stranger.id)).status).toBe(200);
  const refused = [
    await gateway.signIn(theirAdmin),
    gateway.actingFor(theirAdmin.id),
    await gateway.signIn(await gateway.user()),
  ];
  for (const client of refused) {
    for (const one of [stranger.id, userId, 'usr_nobody']) {
      expect(await adjust(request, client, one)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    }
  }
  expect((await adjust(request, gateway.client())).status).toBe(401);
});

it('finds nobody who is not there, and nothing of who was erased', async () => {
  expect(await adjust({ amount: 1, note: 'x' }, admin, 'usr_nobody')).toMatchObject({
    status: 404,
    body: { code: 'user.not_found' },
  });
  await giveCredits(gateway, userId, 5);
  expect((await admin.delete(`/v1/users/${userId}?permanent=true`)).status).toBe(200);
  for (const amount of [1, -1])
    expect(await adjust({ amount, note: 'x' })).toMatchObject({ status: 409, body: { code: 'wallet.closed' } });
  const [wallet] = await gateway.service.query('SELECT balance, closed_at FROM wallets WHERE user_id = $1', [userId]);
  expect(wallet).toMatchObject({ balance: '0', closed_at: expect.any(Date) });
});

it.each<[string, string, string]>([
  ['0', '{"amount": 0, "note": "x"}', 'amount'],
  ['a fraction', '{"amount": 0.5, "note": "x"}', 'amount'],
  ['a number in words', '{"amount": "1e3", "note": "x"}', 'amount'],
  ['a list', '{"amount": [1], "note": "x"}', 'amount'],
  ['true', '{"amount": true, "note": "x"}', 'amount'],
  ['null', '{"amount": null, "note": "x"}', 'amount'],
  ['more than any number', '{"amount": 1e999, "note": "x"}', 'amount'],
  ['2^53', '{"amount": 9007199254740992, "note": "x"}', 'amount'],
  ['1e12 + 1', '{"amount": 1000000000001, "note": "x"}', 'amount'],
  ['-1e12 - 1', '{"amount": -1000000000001, "note": "x"}', 'amount'],
  ['no amount', '{"note": "x"}', 'amount'],
  ['no note', '{"amount": 1}', 'note'],
  ['an empty note', '{"amount": 1, "note": ""}', 'note'],
  ['a long note', `{"amount": 1, "note": "${'x'.repeat(501)}"}`, 'note'],
  ['what earns though it is taken', '{"amount": -1, "note": "x", "earns": true}', 'earns'],
  ['earns as a text', '{"amount": 1, "note": "x", "earns": "true"}', 'earns'],
  ['a field that there is not', '{"amount": 1, "note": "x", "balance": 1}', 'balance'],
])('refuses %s', async (_what, raw, field) => {
  await expectNothingStored(gateway.service, async () => {
    for (const headers of [{}, { 'Idempotency-Key': 'k' }] as Record<string, string>[]) {
      const answer = await admin.post(`/v1/admin/wallets/${userId}/adjust`, undefined, { raw, headers });
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', detail: [{ loc: ['body', field] }] },
      });
    }
  });
});

it('refuses NaN, which JSON has not', async () => {
  const { status } = await admin.post(`/v1/admin/wallets/${userId}/adjust`, undefined, {
    raw: '{"amount": NaN, "note": "x"}',
  });
  expect(status).toBe(422);
});
