import {
  AutoTopUpNoticesService,
  AutoTopUpPurchasesService,
  LedgerService,
  PaymentSweepService,
  type AutoTopUpNotice,
} from '@platform/billing';
import type { AutoTopUpSettings, NotificationsResponse, PaymentHistoryItem, WalletResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import { givePlan } from '../../../testing/billing.js';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';
import { createTenant } from '../../../testing/tenants.js';
import { giveCredits } from '../../../testing/wallets.js';
import { AutoTopUpWorker } from './auto-topup.worker.js';

let test: GatewayWithPayments;
let client: TestClient;
let userId: string;
/** Notices to users, in order. */
const notices: AutoTopUpNotice[] = [];
/** The tests run the sweep themselves. */
const byItself = jest.spyOn(AutoTopUpWorker.prototype, 'startDueTopUps').mockResolvedValue();
beforeAll(async () => {
  test = await GatewayWithPayments.start({ WORKERS: 'inline' });
  test.gateway.service.app.get(AutoTopUpNoticesService).onNotice((_em, notice) => {
    notices.push(notice);
    return Promise.resolve();
  });
});
beforeEach(async () => {
  test.stripe.webhooks.settings.copies = 1;
  await test.gateway.service.query("UPDATE billing_clock SET ahead = '0'");
  const user = await test.gateway.user();
  userId = user.id;
  client = await test.gateway.signIn(user);
});
afterAll(() => test.stop());

const PATH = '/v1/billing/auto-topup';
const DEFAULTS = {
  enabled: false,
  threshold_pct: 10,
  recharge_tokens: 20_000,
  recharge_cents: 2_000,
  payment_method_id: '',
  daily_cap_cents: 10_000,
  monthly_cap_cents: 50_000,
  consented_at: null,
  paused_until: null,
  paused_reason: null,
  stopped_reason: null,
};
const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = [userId]) =>
  test.gateway.service.query<Row>(sql, values);
const read = async (by = client): Promise<AutoTopUpSettings> => (await by.get<AutoTopUpSettings>(PATH)).body;
const put = (body: object, by = client) => by.put<AutoTopUpSettings & { code?: string }>(PATH, body);
async function change(body: object, by = client): Promise<AutoTopUpSettings> {
  const answer = await put(body, by);
  expect([answer.status, answer.body]).toMatchObject([200, body]);
  return answer.body;
}
const balance = async (): Promise<number> => (await client.get<WalletResponse>('/v1/billing/wallet')).body.balance;
const payments = async (): Promise<PaymentHistoryItem[]> =>
  (await client.get<PaymentHistoryItem[]>('/v1/billing/payments')).body;
const told = (kind?: AutoTopUpNotice['kind']): AutoTopUpNotice[] =>
  notices.filter((notice) => notice.userId === userId && (!kind || notice.kind === kind));
const intents = () =>
  test.stripe.state
    .list('payment_intent')
    .filter(({ metadata }) => metadata['user_id'] === userId && metadata['kind'] === 'auto_topup');
const consents = () =>
  query(
    'SELECT text, settings, given_by, session_id, card FROM auto_topup_consents WHERE user_id = $1 ORDER BY at, id',
  );
const crossings = () =>
  query('SELECT c.seq FROM wallet_crossings c JOIN wallets w ON w.id = c.wallet_id WHERE w.user_id = $1');
const mark = async (): Promise<unknown> =>
  (await query("SELECT low_mark::int FROM wallets WHERE user_id = $1 AND kind = 'user'"))[0]?.['low_mark'];

/** Runs the sweep until no crossing of a threshold is due. */
async function sweepAll(): Promise<void> {
  while ((await test.gateway.service.app.get(AutoTopUpPurchasesService).buyForLowBalances()) > 0);
  await test.settled();
}
/**
 * Moves the clock of billing. A crossing that was taken and not done becomes due again after a
 * minute.
 */
const later = (interval: string) => query('UPDATE billing_clock SET ahead = ahead + $1::interval', [interval]);
async function spend(amount: number): Promise<void> {
  const [wallet] = await query<{ id: string }>("SELECT id FROM wallets WHERE user_id = $1 AND kind = 'user'");
  const { outcome } = await test.gateway.service.app
    .get(LedgerService)
    .debit(wallet?.id ?? '', { key: newId('spent'), amount, kind: 'call_charge' });
  expect(outcome).toBe('done');
}
/** Spends all but this many credits. */
const leave = async (credits: number): Promise<void> => spend((await balance()) - credits);
async function withCard(card = 'pm_card_visa'): Promise<void> {
  await givesFreePlan();
  await test.replaceCard(userId, card);
}
/** Users of tests get the free plan from provisioning, shortly later. */
async function givesFreePlan(): Promise<void> {
  if ((await balance()) === 0) await giveCredits(test.gateway, userId, 1_000);
}
async function enable(body: object = {}, card = 'pm_card_visa'): Promise<void> {
  await withCard(card);
  await change({ enabled: true, ...body });
}

describe('the settings', () => {
  it('are off when their user says so, whatever is sold, and whichever card there is, by then', async () => {
    await enable();
    await query(
      `UPDATE auto_topups SET recharge_cents = 150000, recharge_tokens = 1500000, daily_cap_cents = 150000, monthly_cap_cents = 150000, payment_method_id = 'pm_gone'
       WHERE user_id = $1`,
    );
    expect(await put({ enabled: true })).toMatchObject({ status: 400 });
    expect(await put({ enabled: false })).toMatchObject({ status: 200, body: { enabled: false } });
  });

  it('are off, with what would be bought, for who has never chosen', async () => {
    await givesFreePlan();
    expect(await read()).toEqual({ ...DEFAULTS, threshold_tokens: 100 });
    expect(await mark()).toBe(100);
  });

  it('are what the user says, as far as they say it, and their consent is kept', async () => {
    await withCard();
    const first = await put({ enabled: true });
    expect(first).toMatchObject({
      status: 200,
      body: { ...DEFAULTS, enabled: true, threshold_tokens: 100, consented_at: expect.any(String) },
    });
    expect(await consents()).toMatchObject([
      {
        text: expect.stringContaining('20000 credits are bought for US$20.00'),
        settings: {
          threshold_pct: 10,
          threshold_tokens: 100,
          recharge_cents: 2_000,
          daily_cap_cents: 10_000,
          monthly_cap_cents: 50_000,
        },
        given_by: 'session',
        session_id: expect.any(String),
        card: null,
      },
    ]);
    // A higher amount needs a new consent; a lower one does not.
    await change({ enabled: true, recharge_tokens: 30_000, recharge_cents: 3_000, threshold_pct: 50 });
    expect(await mark()).toBe(500);
    await change({ enabled: true, recharge_tokens: 10_000, recharge_cents: 1_000 }, test.gateway.actingFor(userId));
    await change({ enabled: true, daily_cap_cents: 20_000 }, test.gateway.actingFor(userId));
    expect(await consents()).toMatchObject([
      { settings: { recharge_cents: 2_000 } },
      { settings: { recharge_cents: 3_000 } },
      { settings: { recharge_cents: 1_000, daily_cap_cents: 20_000 }, given_by: 'service', session_id: null },
    ]);
    expect(await change({ enabled: false })).toMatchObject({
      enabled: false,
      threshold_pct: 50,
      recharge_tokens: 10_000,
      consented_at: null,
    });
    expect(await mark()).toBe(100);
    expect(await consents()).toHaveLength(3);
  });

  it('take a card of the user alone', async () => {
    const [{ id: tenant_id }, neighbour] = [await createTenant(test.gateway.backend()), await test.gateway.user()];
    await withCard();
    const [mine] = await query<{ id: string }>('SELECT id FROM payment_methods WHERE user_id = $1');
    expect((await put({ enabled: true, payment_method_id: mine?.id })).body).toMatchObject({
      payment_method_id: mine?.id,
    });
    for (const other of [neighbour, await test.gateway.user({ tenant_id })]) {
      const acting = test.gateway.actingFor(other.id);
      expect(await put({ enabled: true, payment_method_id: mine?.id }, acting)).toMatchObject({
        status: 404,
        body: { code: 'payment_method.not_found' },
      });
      expect(await put({ enabled: true }, acting)).toMatchObject({
        status: 402,
        body: { code: 'payment.card_required' },
      });
      expect(await read(acting)).toMatchObject(DEFAULTS);
    }
    expect(await put({ enabled: false, payment_method_id: 'pm_none' })).toMatchObject({ status: 404 });
  });

  it.each<[string, object | undefined, number, string]>([
    ['another price', { enabled: false, recharge_tokens: 10_000, recharge_cents: 999 }, 400, 'topup.price_mismatch'],
    ['a price alone', { enabled: false, recharge_tokens: 10_000 }, 400, 'topup.price_mismatch'],
    [
      'credits that are no tens',
      { enabled: false, recharge_tokens: 10_001, recharge_cents: 1_000 },
      400,
      'topup.not_by_tens',
    ],
    [
      'more than is sold',
      { enabled: false, recharge_tokens: 1_000_010, recharge_cents: 100_001 },
      400,
      'topup.out_of_range',
    ],
    ['a day of less than one', { enabled: false, daily_cap_cents: 1_999 }, 400, 'auto_topup.cap_too_small'],
    ['a month of less than a day', { enabled: false, monthly_cap_cents: 9_999 }, 400, 'auto_topup.cap_too_small'],
    ['no word whether', {}, 422, 'validation_failed'],
    ['a word for whether', { enabled: 'yes' }, 422, 'validation_failed'],
    ['0 %', { enabled: false, threshold_pct: 0 }, 422, 'validation_failed'],
    ['51 %', { enabled: false, threshold_pct: 51 }, 422, 'validation_failed'],
    ['part of a percent', { enabled: false, threshold_pct: 1.5 }, 422, 'validation_failed'],
    ['0 credits', { enabled: false, recharge_tokens: 0, recharge_cents: 0 }, 422, 'validation_failed'],
    ['less than nothing', { enabled: false, recharge_cents: -1 }, 422, 'validation_failed'],
    ['2^53', { enabled: false, recharge_tokens: 2 ** 53 }, 422, 'validation_failed'],
    ['any amount a day', { enabled: false, daily_cap_cents: 10_000_001 }, 422, 'validation_failed'],
    ['a card that is no id', { enabled: false, payment_method_id: "pm_'" }, 422, 'validation_failed'],
    ['a field that there is not', { enabled: false, number: 1 }, 422, 'validation_failed'],
  ])('refuse %s', async (_what, body, status, code) => {
    expect(await put(body as object)).toMatchObject({ status, body: { code } });
    expect(await read()).toMatchObject(DEFAULTS);
  });

  it('belong to a session: a key reads them at most, and a stranger does not', async () => {
    const { body } = await client.post<{ key: string }>('/v1/keys', { name: newId('k'), scopes: 'billing:read' });
    const byKey = test.gateway.client().withHeaders({ 'x-api-key': body.key });
    expect((await byKey.get(PATH)).status).toBe(200);
    expect((await put({ enabled: false }, byKey)).status).toBe(403);
    expect((await put({ enabled: false }, test.gateway.client())).status).toBe(401);
  });
});

it('buys credits by the saved card when few are left, and again when they are few again', async () => {
  await enable();
  await leave(100);
  await sweepAll();
  expect(intents()).toEqual([]);
  await spend(1);
  await sweepAll();
  expect(await balance()).toBe(20_099);
  expect(await payments()).toMatchObject([
    { status: 'succeeded', purpose: 'auto_topup', type: 'topup', tokens: 20_000, amount_cents: 2_000 },
  ]);
  await leave(50);
  await sweepAll();
  expect(await balance()).toBe(20_050);
  const [wallet] = await query<{ id: string }>("SELECT id FROM wallets WHERE user_id = $1 AND kind = 'user'");
  expect(await query('SELECT scope, attempt FROM payments WHERE user_id = $1 ORDER BY created_at, scope')).toEqual([
    { scope: `auto:${wallet?.id}:1`, attempt: 1 },
    { scope: `auto:${wallet?.id}:2`, attempt: 1 },
  ]);
  expect(told()).toMatchObject([{ kind: 'charged', credits: 20_000, amountCents: 2_000 }, { kind: 'charged' }]);
  expect(await crossings()).toEqual([]);
});

it('fault 26: buys once when 100 paid debits cross the threshold at once, while the settings are saved', async () => {
  await enable();
  await leave(600);
  await Promise.all([
    ...Array.from({ length: 100 }, () => spend(6)),
    ...Array.from({ length: 5 }, () => test.gateway.service.app.get(AutoTopUpPurchasesService).buyForLowBalances()),
    ...Array.from({ length: 10 }, () => change({ enabled: true })),
  ]);
  await Promise.all(Array.from({ length: 5 }, () => sweepAll()));
  expect(intents()).toHaveLength(1);
  expect(await balance()).toBe(20_000);
  expect(await crossings()).toEqual([]);
});

it('buys as much at once as it takes, and at once where few are left when it is enabled', async () => {
  await withCard();
  await leave(0);
  await change({ enabled: true, threshold_pct: 50, recharge_tokens: 500, recharge_cents: 50 });
  await sweepAll();
  expect(await balance()).toBe(500);
  await givePlan(test.gateway, userId, 'pro'); // the threshold is 15,000 now
  expect(await mark()).toBe(15_000);
  await sweepAll();
  expect(await balance()).toBe(15_000);
  expect(
    intents()
      .map(({ amount }) => amount)
      .sort((a, b) => a - b),
  ).toEqual([50, 1_450]);
});

it('buys nothing where there are enough again by then, and waits for a period of the plan that is being opened', async () => {
  await enable();
  await givePlan(test.gateway, userId, 'free');
  await query(
    "UPDATE auto_topups SET paused_until = billing_now() + interval '1 hour', paused_reason = 'frequency' WHERE user_id = $1",
  );
  await leave(50);
  await giveCredits(test.gateway, userId, 50);
  await query('UPDATE auto_topups SET paused_until = NULL, paused_reason = NULL WHERE user_id = $1');
  await later('2 hours');
  await sweepAll();
  await query("UPDATE subscriptions SET period_ends_at = billing_now() WHERE user_id = $1 AND status = 'active'");
  await spend(1);
  await sweepAll();
  expect(intents()).toEqual([]);
});

describe('a limit', () => {
  it('fault 26: refuses the fourth in ten minutes, says so once, and goes on when they are over', async () => {
    await enable({ recharge_tokens: 500, recharge_cents: 50 });
    for (let time = 1; time <= 4; time++) {
      await leave(0);
      await sweepAll();
      await sweepAll();
    }
    expect(intents()).toHaveLength(3);
    expect(told('limit')).toMatchObject([{ reason: 'frequency' }]);
    expect(await read()).toMatchObject({ enabled: true, paused_reason: 'frequency', paused_until: expect.any(String) });
    await query("UPDATE payments SET created_at = created_at - interval '11 minutes' WHERE user_id = $1");
    await later('11 minutes');
    await sweepAll();
    expect(intents()).toHaveLength(4);
    expect(await read()).toMatchObject({ paused_reason: null, paused_until: null });
  });

  it.each([
    ['day', { daily_cap_cents: 3_000 }, 'daily_cap', '1 day'],
    ['month', { daily_cap_cents: 3_000, monthly_cap_cents: 3_000 }, 'monthly_cap', '32 days'],
  ])('of a %s refuses what is above it, until it is over or raised', async (_what, caps, reason, age) => {
    await enable(caps);
    await leave(0);
    await sweepAll();
    await leave(0);
    await sweepAll();
    expect(intents()).toHaveLength(1);
    expect(told('limit')).toMatchObject([{ reason }]);
    await query(`UPDATE payments SET created_at = created_at - interval '${age}' WHERE user_id = $1`);
    await change({ enabled: true, ...caps });
    await sweepAll();
    expect(intents()).toHaveLength(2);
  });

  it('lets less be bought at once than it would take', async () => {
    await enable({ daily_cap_cents: 5_000 });
    await givePlan(test.gateway, userId, 'business'); // 11,000
    await change({ enabled: true, threshold_pct: 50, daily_cap_cents: 5_000 }); // 55,000
    await sweepAll();
    expect(intents().map(({ amount }) => amount)).toEqual([4_000]);
    expect(told('limit')).toMatchObject([{ reason: 'daily_cap' }]);
  });
});

describe('a card', () => {
  const DECLINED = 'pm_card_chargeCustomerFail';

  it('that is declined turns it off for an hour, and for good after the third time', async () => {
    await enable({}, DECLINED);
    await leave(0);
    await sweepAll();
    expect(await read()).toMatchObject({ enabled: true, paused_reason: 'declined' });
    expect(told()).toMatchObject([{ kind: 'declined', why: expect.any(String) }]);
    await change({ enabled: true }); // does not make the next attempt earlier
    await later('59 minutes');
    await sweepAll();
    expect(intents()).toHaveLength(1);
    await later('2 minutes');
    await sweepAll();
    expect(intents()).toHaveLength(2);
    await later('61 minutes');
    await sweepAll();
    expect(await read()).toMatchObject({ enabled: false, stopped_reason: 'declined', consented_at: null });
    expect(told().map(({ kind }) => kind)).toEqual(['declined', 'declined', 'stopped']);
    expect(await crossings()).toEqual([]);
    await test.replaceCard(userId, 'pm_card_visa');
    const [good] = await query<{ id: string }>('SELECT id FROM payment_methods WHERE user_id = $1 AND is_default');
    await change({ enabled: true, payment_method_id: good?.id });
    await sweepAll();
    expect(await balance()).toBe(20_000);
    expect(await read()).toMatchObject({ enabled: true, stopped_reason: null });
    expect(await query('SELECT attempt, status FROM payments WHERE user_id = $1 ORDER BY attempt')).toMatchObject([
      { attempt: 1, status: 'failed' },
      { attempt: 2, status: 'failed' },
      { attempt: 3, status: 'failed' },
      { attempt: 4, status: 'succeeded' },
    ]);
  });

  it('whose bank wants to see the user disables it, and the payment waits for them', async () => {
    await enable({}, 'pm_card_authenticationRequired');
    await leave(0);
    await sweepAll();
    expect(await read()).toMatchObject({ enabled: false, stopped_reason: 'authentication_required' });
    expect(told()).toMatchObject([
      { kind: 'stopped', reason: 'authentication_required', paymentId: expect.any(String) },
    ]);
    const [intent] = intents();
    expect(await payments()).toMatchObject([{ payment_intent_id: intent?.id, status: 'pending' }]);
    expect(await test.pay(intent?.id ?? '', intent?.client_secret ?? '')).toBe('succeeded');
    await test.settled();
    expect(await balance()).toBe(20_000);
  });

  it('that asks for its owner and is replaced is not paid twice: the waiting payment is given up', async () => {
    await enable({}, 'pm_card_authenticationRequired');
    await leave(0);
    await sweepAll();
    await test.replaceCard(userId, 'pm_card_visa');
    await change({ enabled: true });
    const [first] = intents();
    await test.gateway.service.app.get(PaymentSweepService).checkDuePayments({ since: new Date(Date.now() + 60_000) });
    await later('2 minutes');
    await sweepAll();
    expect(await test.pay(first?.id ?? '', first?.client_secret ?? '')).toBe('payment_intent_unexpected_state');
    expect(await balance()).toBe(20_000);
  });

  it('that is removed stops it; where it was the default of several, the next one pays', async () => {
    await withCard();
    await test.replaceCard(userId, 'pm_card_mastercard');
    const [newest, oldest] = await query<{ id: string }>(
      'SELECT id FROM payment_methods WHERE user_id = $1 ORDER BY is_default DESC',
    );
    const remove = (id = '') => client.delete(`/v1/billing/payment-methods/${id}`);
    await change({ enabled: true, payment_method_id: oldest?.id });
    expect((await remove(oldest?.id)).status).toBe(200);
    expect(await read()).toMatchObject({ enabled: false, stopped_reason: 'card_removed', payment_method_id: '' });
    await change({ enabled: true });
    await test.replaceCard(userId, 'pm_card_visa');
    expect((await remove(newest?.id)).status).toBe(200);
    expect(await read()).toMatchObject({ enabled: true, stopped_reason: null });
    const [last] = await query<{ id: string }>('SELECT id FROM payment_methods WHERE user_id = $1');
    expect((await remove(last?.id)).status).toBe(200);
    expect(await read()).toMatchObject({ enabled: false, stopped_reason: 'card_removed' });
    await leave(0);
    await sweepAll();
    expect(intents()).toEqual([]);
    expect(told().map(({ kind }) => kind)).toEqual(['stopped', 'stopped', 'low_balance']);
  });
});

describe('a provider that does not answer', () => {
  it.each(['lost_before', 'lost_after'] as const)(
    '(%s) is asked for the same payment again, which is made once',
    async (kind) => {
      await enable();
      await test.stopWebhooks(); // otherwise a webhook would report the payment
      test.stripe.planFault(/^POST \/v1\/payment_intents$/, { kind }, 3);
      await leave(0);
      await test.gateway.service.app
        .get(AutoTopUpPurchasesService)
        .buyForLowBalances()
        .catch(() => undefined); // answered with 503
      await until(
        async () => (await query("SELECT FROM payments WHERE user_id = $1 AND status = 'unknown'")).length > 0,
      );
      expect(await balance()).toBe(0);
      await later('2 minutes');
      await sweepAll();
      expect(await balance()).toBe(20_000);
      expect(intents()).toHaveLength(1);
      expect(await query('SELECT scope FROM payments WHERE user_id = $1')).toHaveLength(1);
    },
  );
});

describe('nobody is charged', () => {
  it.each([
    ['who is inactive', 'UPDATE users SET is_active = false WHERE id = $1'],
    [
      'whose tenant is inactive',
      'UPDATE tenants SET is_active = false WHERE id = (SELECT tenant_id FROM users WHERE id = $1)',
    ],
  ])('%s', async (_who, sql) => {
    const { id: tenant_id } = await createTenant(test.gateway.backend());
    const user = await test.gateway.user({ tenant_id });
    userId = user.id;
    client = await test.gateway.signIn(user);
    await enable();
    const left = await balance();
    await query(sql);
    await spend(left);
    await sweepAll();
    expect(intents()).toEqual([]);
    expect(told()).toEqual([]);
  });

  it('who was erased: the settings are gone, and of the consent what tells of the person', async () => {
    await enable();
    const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
    expect((await admin.delete(`/v1/users/${userId}?permanent=true`)).status).toBe(200);
    await sweepAll();
    expect(intents()).toEqual([]);
    expect(await query('SELECT FROM auto_topups WHERE user_id = $1')).toEqual([]);
    expect(await consents()).toMatchObject([
      { session_id: null, card: null, given_by: 'session', settings: { recharge_cents: 2_000 } },
    ]);
  });
});

it('keeps consents as they were given', async () => {
  await enable();
  for (const change of [
    "UPDATE auto_topup_consents SET text = 'all of it' WHERE user_id = $1",
    'UPDATE auto_topup_consents SET settings = \'{"daily_cap_cents": 10000000}\' WHERE user_id = $1',
    "UPDATE auto_topup_consents SET session_id = 'another' WHERE user_id = $1",
    'UPDATE auto_topup_consents SET session_id = NULL, at = now() WHERE user_id = $1',
    'DELETE FROM auto_topup_consents WHERE user_id = $1',
  ]) {
    await expect(query(change)).rejects.toThrow('are never changed or removed');
  }
  await expect(query('TRUNCATE auto_topup_consents', [])).rejects.toThrow('are never changed or removed');
});

it('is not bought again when its money goes back: that stops it', async () => {
  await enable();
  await leave(0);
  await sweepAll();
  const [bought] = intents();
  expect(
    (await test.gateway.backend().post(`/v1/admin/payments/${bought?.id}/refund`, { note: 'Not wanted' })).status,
  ).toBe(200);
  await later('2 minutes');
  await sweepAll();
  expect(intents()).toHaveLength(1);
  expect(await balance()).toBe(0);
  expect(await read()).toMatchObject({ enabled: false, stopped_reason: 'refunded' });
});

it('goes on once its user is active again', async () => {
  await enable();
  await leave(0);
  await query('UPDATE users SET is_active = false WHERE id = $1');
  await sweepAll();
  expect(intents()).toEqual([]);
  await query('UPDATE users SET is_active = true WHERE id = $1');
  await later('61 minutes');
  await sweepAll();
  expect(intents()).toHaveLength(1);
});

it('is never made as it was before its user changed the settings', async () => {
  await enable({ recharge_tokens: 50_000, recharge_cents: 5_000 });
  await leave(0);
  test.stripe.planFault(/^POST \/v1\/payment_intents$/, { kind: 'lost_before' }, 3);
  await sweepAll();
  await change({ enabled: true, recharge_tokens: 1_000, recharge_cents: 100 });
  for (let look = 0; look < 3; look++) {
    await later('2 minutes');
    await sweepAll();
  }
  expect(intents().map(({ amount }) => amount)).toEqual([100]);
});

it('tells users without it once that few credits are left', async () => {
  await givesFreePlan();
  await leave(99);
  await sweepAll();
  await spend(9);
  await sweepAll();
  expect(told()).toMatchObject([{ kind: 'low_balance', balance: 99, mark: 100 }]);
  await giveCredits(test.gateway, userId, 500);
  await leave(10);
  await sweepAll();
  expect(told('low_balance')).toHaveLength(2);
});

it('happens by itself, every few seconds', async () => {
  await enable();
  await leave(0);
  byItself.mockRestore();
  await until(async () => (await balance()) === 20_000);
  await until(() => Promise.resolve(told().length > 0));
  // The listener is called inside the transaction; the notification is visible only after the
  // commit.
  const items = await until(async () => {
    const { body } = await client.get<NotificationsResponse>('/v1/me/notifications');
    return body.items.length > 0 && body.items;
  });
  expect(items).toMatchObject([
    { app_id: 'billing', message: 'Few credits were left, so 20000 were bought for $20.00 with your saved card.' },
  ]);
});
