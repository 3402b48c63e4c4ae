import type {
  AutoTopUpSettings,
  CallResponse,
  CheckoutResponse,
  ConfirmationResponse,
  InvoiceResponse,
  KeyResponse,
  OperateResponse,
  PaymentHistoryItem,
  PaymentMethodItem,
  RuleResponse,
  TopUpResponse,
} from '@platform/contracts';
import { newUuid } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import { RuleFiringService } from '../../automations/firing/rule-firing.service.js';
import { createApp, installApp } from '../../testing/apps.js';
import { GatewayWithPayments } from '../../testing/gateway-with-payments.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { createRunGrant } from '../../testing/run-grants.js';
import { createTenant } from '../../testing/tenants.js';

let test: GatewayWithPayments;
/** A user with a card, credits and a plan. */
let user: TestUser;
let client: TestClient;
let card: PaymentMethodItem;
beforeAll(async () => {
  test = await GatewayWithPayments.start();
  user = await test.gateway.user({ scopes: ['billing:read'] });
  client = await test.gateway.signIn(user);
  const topup = await client.post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
  expect(await test.pay(topup.body.payment_intent_id, topup.body.client_secret)).toBe('succeeded');
  const checkout = await client.post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'pro' });
  expect(await test.pay(checkout.body.payment_intent_id, checkout.body.client_secret)).toBe('succeeded');
  await test.settled();
  card = (await client.get<PaymentMethodItem[]>('/v1/billing/payment-methods')).body[0] as PaymentMethodItem;
  await client.put('/v1/billing/profile', { company: 'Engines Ltd' });
});
afterAll(() => test.stop());

const body = (name: string, params: object, userId = user.id) => ({ user_id: userId, function: name, params });
const call = async (name: string, params: object = {}, as = client, userId = user.id) =>
  (await as.post<CallResponse>('/v1/extensions/billing/call', body(name, params, userId))).body;
const operate = async (name: string, params: object = {}, as = client, userId = user.id, more: object = {}) =>
  (await as.post<OperateResponse>('/v1/extensions/billing/operate', { ...body(name, params, userId), ...more })).body;
const route = async (path: string, as = client) => (await as.get<object>(`/v1/billing/${path}`)).body;
const withKey = async (scopes: string) =>
  test.gateway
    .client()
    .withHeaders({ 'x-api-key': (await client.post<KeyResponse>('/v1/keys', { name: scopes, scopes })).body.key });
/** Calls the function in a run of another app of the user. */
const callByApp = async (name: string, params: object = {}) => {
  const { app_id } = await createApp(test.gateway, { document: {} });
  await installApp(test.gateway, app_id, user.id);
  await test.gateway.service.query("UPDATE app_versions SET requested_scopes = '{billing:read}' WHERE app_id = $1", [
    app_id,
  ]);
  await test.gateway.service.query("UPDATE installs SET granted_scopes = '{billing:read}' WHERE app_id = $1", [app_id]);
  const grant = await createRunGrant(test.gateway.service, app_id, { userId: user.id, scopes: ['billing:read'] });
  const answer = await test.gateway
    .backend()
    .post<CallResponse>('/v1/internal/extensions/billing/call', { grant, function: name, params });
  return answer.body;
};
/** Everything that a payment would change. */
const money = async () => {
  const [row] = await test.gateway.service.query<object>(
    `SELECT (SELECT count(*)::int FROM payments) AS payments, (SELECT count(*)::int FROM ledger_entries) AS entries,
       (SELECT json_agg(s ORDER BY s.id) FROM (SELECT id, plan_id, status, cancel_at_period_end FROM subscriptions) s) AS plans,
       (SELECT json_agg(c ORDER BY c.id) FROM (SELECT id, is_default FROM payment_methods) c) AS cards,
       (SELECT count(*)::int FROM auto_topups) AS auto`,
  );
  return row;
};
const panel = 'http://localhost:4003';

describe('what only reads', () => {
  it('says what the routes say', async () => {
    expect((await call('list_payments')).data).toEqual({ items: await route('payments') });
    expect((await call('list_payments', { limit: 1, offset: 1 })).data).toEqual({
      items: await route('payments?limit=1&offset=1'),
    });
    expect((await call('list_payment_methods')).data).toEqual({ items: await route('payment-methods') });
    expect((await call('get_auto_topup')).data).toEqual(await route('auto-topup'));
    expect((await call('get_topup_config')).data).toEqual(await route('topup-config'));
    const { body: invoices } = await client.get<InvoiceResponse[]>('/v1/billing/invoices');
    expect((await call('list_invoices')).data).toEqual({ items: invoices });
    expect(invoices).toHaveLength(2);
    const invoice = await call('get_invoice', { invoice_id: invoices[0]?.id });
    expect(invoice).toMatchObject({ data: invoices[0], summary: `Invoice ${invoices[0]?.number} of $29.00.` });
    const preview = await call('preview_plan_change', { plan_id: 'business' });
    expect(preview).toMatchObject({ status: 'success', data: { action: 'upgrade', plan: 'business' } });
    expect(preview.summary).toMatch(/^The plan business costs \$\d+\.\d\d now\.$/);
  });

  it('tells another user, and another tenant, of their own alone', async () => {
    const [mine] = (await client.get<InvoiceResponse[]>('/v1/billing/invoices')).body;
    const { id: tenant_id } = await createTenant(test.gateway.backend());
    for (const changes of [{}, { tenant_id }]) {
      const other = await test.gateway.user(changes);
      const theirs = await test.gateway.signIn(other);
      const as = (name: string, params: object = {}) => call(name, params, theirs, other.id);
      for (const name of ['list_payments', 'list_payment_methods', 'list_invoices'])
        expect((await as(name)).data).toEqual({ items: [] });
      expect(await as('get_invoice', { invoice_id: mine?.id })).toMatchObject({
        status: 'error',
        error_code: 'INVOICE_NOT_FOUND',
      });
      expect((await as('get_auto_topup')).data).toMatchObject({ enabled: false });
      expect(await as('preview_plan_change', { plan_id: 'pro' })).toMatchObject({ error_code: 'SUBSCRIPTION_NONE' });
      const stranger = await theirs.post('/v1/extensions/billing/call', body('list_payments', {}));
      expect(stranger.status).toBe(403);
    }
  });

  it('needs `billing:read` of an API key', async () => {
    const [without, granted] = [await withKey('billing:call'), await withKey('billing:call,billing:read')];
    for (const name of [
      'list_payments',
      'list_payment_methods',
      'list_invoices',
      'get_auto_topup',
      'get_topup_config',
    ]) {
      expect(await call(name, {}, without)).toMatchObject({ status: 'error', error_code: 'PERMISSION_DENIED' });
      expect(await call(name, {}, granted)).toMatchObject({ status: 'success' });
    }
  });

  it('tells an app nothing by which it would know the person', async () => {
    const payments = (await callByApp('list_payments')).data as { items: PaymentHistoryItem[] };
    expect(payments.items).toHaveLength(2);
    const cards = (await callByApp('list_payment_methods')).data as { items: object[] };
    expect(cards.items).toEqual([{ id: card.id, type: 'card', brand: 'visa', is_default: true }]);
    const invoices = (await callByApp('list_invoices')).data as { items: InvoiceResponse[] };
    const one = await callByApp('get_invoice', { invoice_id: invoices.items[0]?.id });
    const auto = (await callByApp('get_auto_topup')).data as AutoTopUpSettings;
    expect(auto.enabled).toBe(false);
    const told = JSON.stringify([payments, invoices, one, auto]);
    for (const secret of [user.email, 'Engines', 'http', '4242', 'buyer']) expect(told).not.toContain(secret);
  });

  it('refuses what is no page', async () => {
    for (const params of [{ limit: 0 }, { limit: 201 }, { limit: 'x' }, { offset: -1 }]) {
      expect(await call('list_payments', params)).toMatchObject({
        status: 'error',
        error_code: 'VALIDATION_TYPE_ERROR',
      });
    }
  });
});

describe('what moves money', () => {
  /** Functions with their parameters, page of the panel and summary. */
  const functions = (): [name: string, params: object, page: string, summary: string | RegExp][] => [
    ['buy_tokens', { tokens: 10_000 }, 'wallet?credits=10000', 'Buy 10,000 credits for $10.00.'],
    ['set_auto_topup', {}, 'wallet', 'Turn automatic top-ups on or off.'],
    [
      'change_plan',
      { plan_id: 'business' },
      'subscription?plan=business',
      /^Change to the plan business now, for \$\d+\.\d\d\.$/,
    ],
    ['upgrade_plan', { plan_id: 'business' }, 'subscription?plan=business', /^Change to the plan business now/],
    [
      'change_plan',
      { plan_id: 'starter' },
      'subscription?plan=starter',
      /^Change to the plan starter on \d{4}-\d\d-\d\d/,
    ],
    ['downgrade_plan', { plan_id: 'starter' }, 'subscription?plan=starter', /when the period ends\.$/],
    ['cancel_subscription', {}, 'subscription', 'End your plan at the end of its period.'],
    ['resume_subscription', {}, 'subscription', 'Keep your plan.'],
    ['renew_subscription', {}, 'subscription', 'Pay the next period of your plan.'],
    ['add_payment_method', {}, 'payments', 'Save a card.'],
    [
      'set_default_payment_method',
      { payment_method_id: card.id },
      'payments',
      'Pay with your visa card ending in 4242.',
    ],
    ['remove_payment_method', { payment_method_id: card.id }, 'payments', 'Remove your visa card ending in 4242.'],
  ];

  it('is done in the panel, whoever operates, and nothing moves', async () => {
    const callers = [client, test.gateway.actingFor(user.id), await withKey('billing:call,billing:read')];
    const before = await money();
    for (const [at, [name, params, page, summary]] of functions().entries()) {
      const as = callers[at % callers.length];
      const answer = await operate(name, params, as, user.id, { confirmation_bypassed: true });
      const told: unknown = typeof summary === 'string' ? summary : expect.stringMatching(summary);
      expect(answer).toEqual({
        kind: 'panel_approval_required',
        confirmation: expect.objectContaining({
          app_id: 'billing',
          function: name,
          params,
          status: 'pending',
          price: 0,
        }),
        confirmation_id: expect.stringMatching(/^cnf_/),
        panel_url: `${panel}/${page}`,
        summary: told,
        expires_at: expect.any(String),
      });
    }
    expect(await money()).toEqual(before);
  });

  it('cannot be confirmed by anybody, and can be cancelled', async () => {
    const { confirmation_id: id } = await operate('buy_tokens', { tokens: 10_000 });
    const before = await money();
    for (const as of [client, test.gateway.actingFor(user.id)]) {
      expect(await as.post(`/v1/confirmations/${id}/confirm`)).toMatchObject({
        status: 403,
        body: { code: 'money.release_denied' },
      });
    }
    const stranger = await test.gateway.signIn(await test.gateway.user());
    expect((await stranger.post(`/v1/confirmations/${id}/confirm`)).status).toBe(404);
    expect((await client.get<ConfirmationResponse>(`/v1/confirmations/${id}`)).body.status).toBe('pending');
    expect((await client.post<ConfirmationResponse>(`/v1/confirmations/${id}/cancel`)).body.status).toBe('cancelled');
    expect(await money()).toEqual(before);
  });

  it('fails where it is called, by its user, in a batch, by a key or by another app, and says where it is done', async () => {
    const before = await money();
    const key = await withKey('billing:call,billing:read');
    for (const [name, params, page] of functions()) {
      const denied = { status: 'error', error_code: 'MONEY_RELEASE_DENIED', data: { panel_url: `${panel}/${page}` } };
      expect(await call(name, params)).toMatchObject(denied);
      expect(await call(name, params, key)).toMatchObject(denied);
      expect(await callByApp(name, params)).toMatchObject(denied);
      const batch = { user_id: user.id, calls: [{ function: name, params }] };
      expect((await client.post<CallResponse[]>('/v1/extensions/billing/batch', batch)).body).toMatchObject([denied]);
    }
    expect((await callByApp('remove_payment_method', { payment_method_id: card.id })).data).toMatchObject({
      summary: 'Remove your card.',
    });
    expect(await money()).toEqual(before);
  });

  it('fails in an automation', async () => {
    const before = await money();
    const made = await client.post<CallResponse>('/v1/extensions/automations/call', {
      user_id: user.id,
      function: 'create_automation',
      params: {
        trigger_filter: { event_type: 'notes.created' },
        actions: [{ app_id: 'billing', tool: 'buy_tokens', args: { tokens: 10_000 } }],
        cooldown_seconds: 0,
      },
    });
    expect(made.body.error).toBeNull();
    const event = {
      id: newUuid(),
      type: 'notes.created',
      tenantId: 'default',
      userId: user.id,
      source: 'notes',
      data: {},
      hop: 0,
    };
    await test.gateway.service.app
      .get(RuleFiringService)
      .onEvent({ ...event, scopes: null, key: null, apps: null, at: new Date() });
    const rule = await until(async () => {
      const [one] = (await client.get<RuleResponse[]>('/v1/automations')).body;
      return one?.last_error ? one : undefined;
    });
    expect(rule.last_error).toContain(`${panel}/wallet?credits=10000`);
    expect(await money()).toEqual(before);
  });

  it('says at once what cannot be done', async () => {
    const refused = async (name: string, params: object, code: string, as = client, userId = user.id) =>
      expect(await operate(name, params, as, userId)).toMatchObject({
        kind: 'tool_result',
        content: { status: 'error', error_code: code },
      });
    await refused('buy_tokens', { tokens: 15 }, 'TOPUP_NOT_BY_TENS');
    await refused('buy_tokens', { tokens: 100 }, 'TOPUP_OUT_OF_RANGE');
    await refused('buy_tokens', {}, 'VALIDATION_MISSING_FIELD');
    await refused('buy_tokens', { tokens: '10000' }, 'VALIDATION_TYPE_ERROR');
    await refused('change_plan', { plan_id: 'pro' }, 'SUBSCRIPTION_SAME_PLAN');
    await refused('change_plan', { plan_id: 'enterprise' }, 'PLAN_NOT_FOR_SALE');
    await refused('change_plan', { plan_id: 'nothing' }, 'PLAN_NOT_FOUND');
    await refused('upgrade_plan', { plan_id: 'starter' }, 'SUBSCRIPTION_OTHER_DIRECTION');
    await refused('downgrade_plan', { plan_id: 'business' }, 'SUBSCRIPTION_OTHER_DIRECTION');
    await refused('remove_payment_method', { payment_method_id: 'pm_of_nobody' }, 'PAYMENT_METHOD_NOT_FOUND');
    await refused('buy_tokens', { tokens: 10_000 }, 'PERMISSION_DENIED', await withKey('billing:call'));
    const { id: tenant_id } = await createTenant(test.gateway.backend());
    for (const changes of [{}, { tenant_id }]) {
      const other = await test.gateway.user(changes);
      const theirs = await test.gateway.signIn(other);
      await refused(
        'remove_payment_method',
        { payment_method_id: card.id },
        'PAYMENT_METHOD_NOT_FOUND',
        theirs,
        other.id,
      );
      await refused('cancel_subscription', {}, 'SUBSCRIPTION_NONE', theirs, other.id);
      await refused('upgrade_plan', { plan_id: 'pro' }, 'SUBSCRIPTION_NONE', theirs, other.id);
      expect(await operate('change_plan', { plan_id: 'pro' }, theirs, other.id)).toMatchObject({
        kind: 'panel_approval_required',
        summary: 'Take the plan Pro for $29.00 a month.',
        panel_url: `${panel}/subscription?plan=pro`,
      });
    }
  });
});
