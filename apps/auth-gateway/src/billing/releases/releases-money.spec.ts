import type { KeyResponse, PaymentMethodItem, TokenResponse } from '@platform/contracts';
import { challengeOf, newVerifier } from '@platform/client/pkce';
import { documentedRoutes, type TestClient } from '@platform/testing';
import { GatewayWithPayments } from '../../testing/gateway-with-payments.js';
import type { TestUser } from '../../testing/gateway.js';

let test: GatewayWithPayments;
let user: TestUser;
let client: TestClient;
let terminal: TestClient;
let card: string;
beforeAll(async () => {
  test = await GatewayWithPayments.start();
  user = await test.gateway.user();
  client = await test.gateway.signedIn(user);
  terminal = await signedInAtTerminal();
  await test.replaceCard(user.id, 'pm_card_visa');
  card = (await client.get<PaymentMethodItem[]>('/v1/billing/payment-methods')).body[0]?.id ?? '';
});
afterAll(() => test.stop());

/** With the tokens that `platform login` gets. */
async function signedInAtTerminal(): Promise<TestClient> {
  const code_verifier = newVerifier();
  const { body } = await test.gateway.client().post<{ device_code: string; user_code: string }>('/v1/auth/cli/device/authorize', {
    code_challenge: challengeOf(code_verifier),
  });
  const approved = await test.gateway.actingFor(user.id).post('/v1/auth/cli/device/approve', { user_code: body.user_code });
  expect(approved.status).toBe(200);
  const tokens = await test.gateway
    .client()
    .post<TokenResponse>('/v1/auth/cli/device/token', { device_code: body.device_code, code_verifier });
  return test.gateway.client().bearer(tokens.body.access_token);
}

/** Each route that begins a payment, or changes what is paid without its user, with the page of the panel on which they do it. */
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
/** What people do by the command line as well: none of it pays, or lets anything be paid. `topup/confirm` is for trusted backends alone. */
const HARMLESS = ['subscribe', 'checkout/confirm', 'change-plan/preview', 'profile', 'topup/confirm'];
const ask = (by: TestClient, [method, path, body]: (typeof ROUTES)[number]) =>
  by.request<{ code?: string }>(method, `/v1/billing/${path.replace('CARD', card)}`, method === 'DELETE' ? undefined : body);
const rows = () =>
  test.gateway.service.query(
    `SELECT (SELECT count(*)::int FROM payments) AS payments, (SELECT count(*)::int FROM payment_methods) AS cards,
       (SELECT count(*)::int FROM auto_topups WHERE enabled) AS auto`,
  );

it('is about every route of payments that changes something', () => {
  const named = (path: string) => path.replace(/\{\w+\}|CARD|pi_of_theirs/, '*');
  const there = documentedRoutes()
    .filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1/billing/'))
    .map(({ path }) => named(path.slice('/v1/billing/'.length)));
  expect(new Set(there)).toEqual(new Set([...ROUTES.map(([, path]) => named(path)), ...HARMLESS]));
});

it.each(ROUTES)('%s %s %j is nothing for a command line, and nothing happens', async (...route) => {
  const before = await rows();
  const url = `http://localhost:4003/${route[3]}`;
  expect(await ask(terminal, route)).toMatchObject({ status: 403, body: { code: 'money.release_denied', panel_url: url } });
  expect(await rows()).toEqual(before);
});

it.each(ROUTES)('%s %s %j is nothing for an API key, whatever it was given', async (...route) => {
  const { body: key } = await client.post<KeyResponse>('/v1/keys', { name: 'agent', scopes: '*' });
  const answer = await ask(test.gateway.client().with({ 'x-api-key': key.key }), route);
  expect([answer.status, answer.body.code]).toEqual([403, 'session_required']);
});

it('is nothing for a trusted backend that says that its user is at a command line, either', async () => {
  const [session] = await test.gateway.service.query<{ id: string }>("SELECT id FROM sessions WHERE user_id = $1 AND surface = 'cli'", [
    user.id,
  ]);
  const acting = test.gateway.actingFor(user.id);
  const body = { tokens: 10_000, price_cents: 1_000 };
  expect(await acting.with({ 'X-Acting-Session': session?.id ?? '' }).post('/v1/billing/topup', body)).toMatchObject({
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
