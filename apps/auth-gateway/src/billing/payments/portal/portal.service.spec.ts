import type { PortalSessionResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import type { TestClient } from '@platform/testing';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';

let test: GatewayWithPayments;
let client: TestClient;
let userId: string;
beforeAll(async () => {
  test = await GatewayWithPayments.start({ PANEL_URL: 'https://panel.example.com' });
});
beforeEach(async () => {
  const user = await test.gateway.user();
  userId = user.id;
  client = await test.gateway.signIn(user);
});
afterAll(() => test.stop());

const open = (by = client) => by.post<PortalSessionResponse>('/v1/billing/portal');

it('leads to the provider’s page for this user, and from there back to the panel', async () => {
  const { status, body } = await open();
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['url']);
  const session = test.stripe.state.list('portal_session').find(({ url }) => url === body.url);
  expect(session?.return_url).toBe('https://panel.example.com/payments');
  const customer = test.stripe.state.find('customer', session?.customer ?? '');
  expect(customer).toMatchObject({ metadata: { user_id: userId } });
});

it('is a new page each time, of the same customer, and is kept nowhere', async () => {
  const key = { 'Idempotency-Key': newId('key') };
  const [first, second] = [
    (await open(client.withHeaders(key))).body.url,
    (await open(client.withHeaders(key))).body.url,
  ];
  expect(second).not.toBe(first);
  const sessions = test.stripe.state.list('portal_session').filter(({ url }) => url === first || url === second);
  expect(new Set(sessions.map(({ customer }) => customer)).size).toBe(1);
  expect(
    await test.gateway.service.query("SELECT FROM idempotent_requests WHERE body::text LIKE '%' || $1 || '%'", [first]),
  ).toEqual([]);
});

it('is a 503 while the provider is away', async () => {
  test.stripe.planFault(/^POST \/v1\/billing_portal\/sessions$/, { kind: 'answer', status: 500 }, 3);
  const { status, body } = await open();
  expect([status, (body as unknown as { code: string }).code]).toEqual([503, 'payment_provider_unavailable']);
});

it('belongs to a session', async () => {
  const { body } = await client.post<{ key: string }>('/v1/keys', { name: newId('k'), scopes: 'billing:read' });
  expect((await open(test.gateway.client().withHeaders({ 'x-api-key': body.key }))).status).toBe(403);
  expect((await open(test.gateway.client())).status).toBe(401);
  expect((await open(test.gateway.backend())).status).toBe(422);
});
