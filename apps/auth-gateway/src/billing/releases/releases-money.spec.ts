import type { KeyResponse, PaymentMethodItem, TokenResponse } from '@platform/contracts';
import { challengeOf, newVerifier } from '@platform/client/pkce';
import { listDocumentedRoutes, fillPath, type TestClient } from '@platform/testing';
import { GatewayWithPayments } from '../../testing/gateway-with-payments.js';
import type { TestUser } from '../../testing/gateway-test.js';

let test: GatewayWithPayments;
let user: TestUser;
let client: TestClient;
let terminal: TestClient;
let adminsTerminal: TestClient;
let card: string;
beforeAll(async () => {
  test = await GatewayWithPayments.start();
  user = await test.gateway.user();
  client = await test.gateway.signIn(user);
  terminal = await signedInAtTerminal(user);
  adminsTerminal = await signedInAtTerminal(await test.gateway.user({ role: 'admin' }));
  await test.replaceCard(user.id, 'pm_card_visa');
  card = (await client.get<PaymentMethodItem[]>('/v1/billing/payment-methods')).body[0]?.id ?? '';
});
afterAll(() => test.stop());

/** Signs in with the tokens that `platform login` gets. */
async function signedInAtTerminal({ id }: TestUser): Promise<TestClient> {
  const code_verifier = newVerifier();
  const { body } = await test.gateway
    .client()
    .post<{ device_code: string; user_code: string }>('/v1/auth/cli/device/authorize', {
      code_challenge: challengeOf(code_verifier),
    });
  const approved = await test.gateway.actingFor(id).post('/v1/auth/cli/device/approve', { user_code: body.user_code });
  expect(approved.status).toBe(200);
  const tokens = await test.gateway
    .client()
    .post<TokenResponse>('/v1/auth/cli/device/token', { device_code: body.device_code, code_verifier });
  return test.gateway.client().withToken(tokens.body.access_token);
}

/**
 * Routes that start a payment, or change payments made without the user, with the page of the panel
 * for each.
 */
const ROUTES: [method: 'POST' | 'PUT' | 'DELETE', path: string, body: object, page: string][] = [
  ['POST', 'topup', { tokens: 10_000, price_cents: 1_000 }, 'wallet'],
  ['POST', 'topup', { tokens: 10_000, price_cents: 1_000, off_session: true }, 'wallet'],
  ['PUT', 'auto-topup', { enabled: true }, 'wallet'],
  ['POST', 'checkout', { plan_id: 'pro' }, 'subscription'],
  ['POST', 'change-plan', { plan_id: 'business' }, 'subscription'],
  ['POST', 'cancel', {}, 'subscription'],
  ['POST', 'resume', {}, 'subscription'],
  ['POST', 'renew', {}, 'subscription'],
  ['POST', 'payment-methods/setup', {}, 'payments'],
  ['PUT', 'payment-methods/CARD/default', {}, 'payments'],
  ['DELETE', 'payment-methods/CARD', {}, 'payments'],
  ['POST', 'portal', {}, 'payments'],
  ['POST', 'payments/pi_of_theirs/continue', {}, 'payments'],
];
/**
 * Routes for the command line, too: they do not pay and do not allow a payment. `topup/confirm` is
 * only for backends.
 */
const HARMLESS = ['subscribe', 'checkout/confirm', 'change-plan/preview', 'profile', 'topup/confirm'];
const ask = (by: TestClient, [method, path, body]: (typeof ROUTES)[number]) =>
  by.request<{ code?: string }>(
    method,
    `/v1/billing/${path.replace('CARD', card)}`,
    method === 'DELETE' ? undefined : body,
  );
const rows = () =>
  test.gateway.service.query(
    `SELECT (SELECT count(*)::int FROM payments) AS payments, (SELECT count(*)::int FROM payment_methods) AS cards,
       (SELECT count(*)::int FROM auto_topups WHERE enabled) AS auto`,
  );

/** Routes outside of payments that move money or credits. */
const ELSEWHERE = [
  'PUT /v1/me/spending',
  'PUT /v1/developer/tier',
  'POST /v1/developer/payouts',
  'POST /v1/developer/payouts/request',
  'GET /v1/developer/payout-destination',
  'PUT /v1/developer/payout-destination',
  'POST /v1/admin/developer/tier',
  'POST /v1/admin/payouts/{payout_id}/approve',
  'POST /v1/admin/payouts/{payout_id}/reject',
  'POST /v1/admin/payouts/{payout_id}/paid',
  'POST /v1/admin/payments/{payment_intent_id}/refund',
  'POST /v1/admin/wallets/{user_id}/adjust',
];
/**
 * Routes with an `Idempotency-Key` that programs can call. The handler refuses paid developer
 * tiers.
 */
const FOR_PROGRAMS = ['POST /v1/billing/subscribe', 'POST /v1/developer/register'];
const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const moving = listDocumentedRoutes().filter(({ movesMoney }) => movesMoney);

it('is about every route of payments that changes something', () => {
  const pattern = (path: string) => path.replace(/\{\w+\}|CARD|pi_of_theirs/, '*');
  const there = listDocumentedRoutes()
    .filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1/billing/'))
    .map(({ path }) => pattern(path.slice('/v1/billing/'.length)));
  expect(new Set(there)).toEqual(new Set([...ROUTES.map(([, path]) => pattern(path)), ...HARMLESS]));
});

it('is about the other routes that move money, and about every route with an Idempotency-Key', () => {
  expect(
    moving
      .map(named)
      .filter((route) => !route.includes(' /v1/billing/'))
      .sort(),
  ).toEqual([...ELSEWHERE].sort());
  const others = listDocumentedRoutes().filter(({ isIdempotent, movesMoney }) => isIdempotent && !movesMoney);
  expect(others.map(named).sort()).toEqual([...FOR_PROGRAMS].sort());
});

it.each(moving.map((route): [string, (typeof moving)[number]] => [named(route), route]))(
  '%s is nothing for the command line of an administrator',
  async (_name, { method, path }) => {
    const answer = await adminsTerminal.request<{ code?: string }>(
      method,
      fillPath(path, '1'),
      ['DELETE', 'GET'].includes(method) ? undefined : {},
    );
    expect([answer.status, answer.body.code]).toEqual([403, 'money.release_denied']);
  },
);

it('a developer tier that costs credits is nothing for a command line, and the free one is', async () => {
  const developer = await signedInAtTerminal(await test.gateway.user());
  expect(await developer.post('/v1/developer/register', { display_name: 'Ada', tier: 'indie' })).toMatchObject({
    status: 403,
  });
  expect(await developer.post('/v1/developer/register', { display_name: 'Ada' })).toMatchObject({ status: 200 });
});

it.each(ROUTES)('%s %s %j is nothing for a command line, and nothing happens', async (...route) => {
  const before = await rows();
  const url = `http://localhost:4003/${route[3]}`;
  expect(await ask(terminal, route)).toMatchObject({
    status: 403,
    body: { code: 'money.release_denied', panel_url: url },
  });
  expect(await rows()).toEqual(before);
});

it.each(ROUTES)('%s %s %j is nothing for an API key, whatever it was given', async (...route) => {
  const { body: key } = await client.post<KeyResponse>('/v1/keys', { name: 'agent', scopes: '*' });
  const answer = await ask(test.gateway.client().withHeaders({ 'x-api-key': key.key }), route);
  expect([answer.status, answer.body.code]).toEqual([403, 'session_required']);
});

it('is nothing for a trusted backend that says that its user is at a command line, either', async () => {
  const [session] = await test.gateway.service.query<{ id: string }>(
    "SELECT id FROM sessions WHERE user_id = $1 AND surface = 'cli'",
    [user.id],
  );
  const acting = test.gateway.actingFor(user.id);
  const body = { tokens: 10_000, price_cents: 1_000 };
  expect(
    await acting.withHeaders({ 'X-Acting-Session': session?.id ?? '' }).post('/v1/billing/topup', body),
  ).toMatchObject({
    status: 403,
    body: { code: 'money.release_denied' },
  });
  expect((await acting.post('/v1/billing/topup', body)).status).toBe(200);
});

it('lets a command line look, and see what a change would cost', async () => {
  for (const path of ['wallet', 'subscription', 'payments', 'payment-methods', 'invoices', 'auto-topup']) {
    expect((await terminal.get(`/v1/billing/${path}`)).status).toBe(200);
  }
  expect(await terminal.post('/v1/billing/change-plan/preview', { plan_id: 'pro' })).toMatchObject({
    status: 409,
    body: { code: 'subscription.none' },
  });
});

it('is for people who are signed in', async () => {
  for (const route of ROUTES.slice(0, 2)) expect((await ask(client, route)).status).toBe(200);
});
