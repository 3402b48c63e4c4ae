import type { LimitsResponse, PlanResponse, SubscriptionResponse, TokenResponse } from '@platform/contracts';
import { CallCountsService, MeterCountsRepository } from '@platform/billing';
import { HeldLock, TEST_SERVICE_TOKENS, until, type TestClient } from '@platform/testing';
import { givePlan } from '../../testing/billing.js';
import { GatewayTest, PASSWORD, type TestUser } from '../../testing/gateway-test.js';
import { waitIfMidnightIsNear } from '../../testing/midnight.js';
import { PlanUpkeepWorker } from './plan-upkeep.worker.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
beforeEach(() => setAhead('0'));
beforeEach(waitIfMidnightIsNear); // months are counted
afterAll(() => gateway.stop());

const query = <Row>(sql: string, values: unknown[] = []) => gateway.service.query<Row>(sql, values);
const setAhead = (ahead: string) => query('UPDATE billing_clock SET ahead = $1', [ahead]);
const callCounts = () => gateway.service.app.get(CallCountsService, { strict: false });
const meterCounts = () => gateway.service.app.get(MeterCountsRepository, { strict: false });
const upkeep = () => gateway.service.app.get(PlanUpkeepWorker, { strict: false });

async function person(changes: Record<string, unknown> = {}): Promise<{ user: TestUser; client: TestClient }> {
  const user = await gateway.user(changes);
  return { user, client: await gateway.signIn(user) };
}
const subscription = async (client: TestClient) =>
  (await client.get<SubscriptionResponse>('/v1/billing/subscription')).body;
const usage = async (client: TestClient) => (await client.get<LimitsResponse>('/v1/billing/usage')).body;
const stored = (userId: string) =>
  query<{ status: string; period_number: number; balance: string | null }>(
    `SELECT s.status, s.period_number, w.balance FROM subscriptions s LEFT JOIN wallets w ON w.user_id = s.user_id AND w.kind = 'user'
     WHERE s.user_id = $1`,
    [userId],
  );

describe('GET /v1/billing/plans', () => {
  it('shows everybody what there is, the smallest plan first', async () => {
    const { status, body } = await gateway.client().get<PlanResponse[]>('/v1/billing/plans');
    expect(status).toBe(200);
    expect(body.map(({ id, price, self_service }) => [id, price, self_service])).toEqual([
      ['free', 0, false],
      ['starter', 9, false],
      ['pro', 29, true],
      ['business', 99, true],
      ['enterprise', 0, false],
    ]);
    expect(body[2]).toEqual({
      id: 'pro',
      version: 1,
      name: 'Pro',
      price: 29,
      interval: 'month',
      included_tokens: 30_000,
      features: { voice: true, connectors: true, coding: true, connections: true, file_reader: true },
      limits: { tool_calls: 20_000, automations: 100 },
      self_service: true,
    });
    expect(body[4]?.limits).toEqual({});
  });

  it('refuses what it does not know', async () => {
    expect((await gateway.client().get('/v1/billing/plans?limit=1')).status).toBe(422);
  });
});

describe('a new user', () => {
  it('has the free plan and its credits, by provisioning', async () => {
    const { body } = await gateway
      .backend()
      .post<TokenResponse>('/v1/auth/register', { email: gateway.newEmail(), password: PASSWORD });
    const client = gateway.client().withToken(body.access_token);
    const { body: me } = await client.get<{ id: string }>('/v1/auth/me');
    await until(async () => (await stored(me.id)).length > 0);
    expect(await stored(me.id)).toEqual([{ status: 'active', period_number: 1, balance: '1000' }]);
    expect(await subscription(client)).toEqual({
      plan: 'free',
      plan_version: 1,
      status: 'active',
      started_at: expect.any(String),
      expires_at: null,
      period_starts_at: expect.any(String),
      period_ends_at: expect.any(String),
      cancel_at_period_end: false,
      pending_plan: null,
      billing_mode: 'free',
      card_required: false,
      contract_amount_cents: null,
      billing_note: null,
    });
  });

  it('has what the free plan allows before that', async () => {
    const { client } = await person();
    const month = new Date().toISOString().slice(0, 7);
    expect(await subscription(client)).toMatchObject({
      plan: 'free',
      status: 'active',
      started_at: null,
      expires_at: null,
      period_starts_at: `${month}-01T00:00:00.000Z`,
    });
  });
});

it('users without a plan get the free plan by a sweep, and its next month by another', async () => {
  const { user, client } = await person({ created_at: new Date('2025-01-01') });
  await upkeep().subscribeMissing();
  expect(await stored(user.id)).toEqual([{ status: 'active', period_number: 1, balance: '1000' }]);
  const { period_ends_at } = await subscription(client);
  await setAhead('32 days');
  await Promise.all([upkeep().openDuePeriods(), upkeep().openDuePeriods()]);
  const [after] = await stored(user.id);
  expect(after).toMatchObject({ period_number: 2, balance: '1000' });
  expect((await subscription(client)).period_starts_at).toBe(period_ends_at);
});

it.each([
  ['pro', 'card'],
  ['enterprise', 'manual'],
])('the plan %s is paid until its month ends, by %s', async (plan, billing_mode) => {
  const { user, client } = await person();
  await givePlan(gateway, user.id, plan);
  const answer = await subscription(client);
  expect(answer).toMatchObject({
    plan,
    status: 'active',
    billing_mode,
    started_at: expect.any(String),
    expires_at: answer.period_ends_at,
  });
});

describe('GET /v1/billing/usage', () => {
  it('says what was used, what may be, and until when', async () => {
    const { user, client } = await person();
    await meterCounts().addUse(user.id, 'ai_tokens', 1_234);
    await callCounts().countCall(user.id);
    expect(await usage(client)).toEqual({
      plan: 'free',
      usage: { ai_tokens: 1_234, tool_calls: 1, automations: 0 },
      limits: { tool_calls: 500, automations: 10 },
      exceeded: [],
      resets_at: (await subscription(client)).period_ends_at,
    });
    await meterCounts().addUse(user.id, 'tool_calls', 499);
    expect(await usage(client)).toMatchObject({ exceeded: ['tool_calls'], usage: { tool_calls: 500 } });
    await setAhead('32 days');
    expect(await usage(client)).toMatchObject({ exceeded: [], usage: { ai_tokens: 0, tool_calls: 0 } });
  });

  it('has no limits where the plan has none', async () => {
    const { user, client } = await person();
    await givePlan(gateway, user.id, 'enterprise');
    expect(await usage(client)).toMatchObject({ plan: 'enterprise', limits: {}, exceeded: [] });
    expect((await client.get('/v1/actions/stats')).body).toMatchObject({ limit: 0 });
  });

  it('has the limit of the role where it is smaller, as the figures of calls do', async () => {
    await query(
      "INSERT INTO roles (id, tenant_id, name, display_name, monthly_action_limit) VALUES ('rol_seven', 'default', 'seven', 'Seven', 7)",
    );
    const { client } = await person({ role: 'seven' });
    expect((await usage(client)).limits).toEqual({ tool_calls: 7, automations: 10 });
    expect((await client.get('/v1/actions/stats')).body).toMatchObject({ limit: 7 });
  });

  it('counts the automations that there are, of which administrators have any number', async () => {
    const { client } = await person();
    for (let at = 0; at < 2; at++)
      await client.post('/v1/automations', { prompt: 'every day at 09:00: message "Good morning"' });
    expect(await usage(client)).toMatchObject({ usage: { automations: 2 }, limits: { automations: 10 } });
    const { client: admin } = await person({ role: 'admin' });
    expect((await usage(admin)).limits).toEqual({ tool_calls: 500 });
  });
});

it('a larger plan allows more automations', async () => {
  const { user, client } = await person();
  const create = () => client.post('/v1/automations', { prompt: 'every day at 09:00: message "Good morning"' });
  for (let at = 0; at < 10; at++) expect((await create()).status).toBe(200);
  expect(await create()).toMatchObject({
    status: 429,
    body: { detail: { quota: { cap: 10, plan: 'free', source: 'plan' } } },
  });
  await givePlan(gateway, user.id, 'starter');
  expect((await create()).status).toBe(200);
});

describe.each(['subscription', 'usage'])('GET /v1/billing/%s', (what) => {
  const path = `/v1/billing/${what}`;

  it('is of who asks, or of whom a backend acts for that may', async () => {
    const { user, client } = await person();
    await givePlan(gateway, user.id, 'business');
    expect(await client.get(path)).toMatchObject({ status: 200, body: { plan: 'business' } });
    expect(await gateway.actingFor(user.id).get(path)).toMatchObject({ status: 200, body: { plan: 'business' } });
    const { client: other } = await person();
    expect(await other.get(path)).toMatchObject({ status: 200, body: { plan: 'free' } });
    const idle = gateway
      .client()
      .withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKENS.idle, 'X-Acting-User': user.id });
    expect(await idle.get(path)).toMatchObject({ status: 403, body: { code: 'service_not_allowed' } });
    expect((await gateway.client().get(path)).status).toBe(401);
  });

  it('takes an API key that may see it', async () => {
    const { client } = await person();
    const key = async (scopes: string) => {
      const { body } = await client.post<{ key: string }>('/v1/keys', { name: scopes, scopes });
      return gateway.client().withHeaders({ 'X-API-Key': body.key });
    };
    expect((await (await key('billing:read')).get(path)).status).toBe(200);
    expect(await (await key('automations:read')).get(path)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
  });
});

it('calls of a user without a limit are counted when their process ends', async () => {
  const { user, client } = await person();
  await givePlan(gateway, user.id, 'enterprise');
  const other = await gateway.startSecondProcess();
  for (let at = 0; at < 3; at++) await other.app.get(CallCountsService, { strict: false }).countCall(user.id);
  await other.stop();
  expect((await usage(client)).usage).toMatchObject({ tool_calls: 3 });
});

it('an erased user has no plan that brings anything, and nothing is known of what they used', async () => {
  const { user } = await person();
  await givePlan(gateway, user.id, 'free');
  await callCounts().countCall(user.id);
  const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
  expect((await admin.delete(`/v1/users/${user.id}?permanent=true`)).status).toBe(200);
  expect(await stored(user.id)).toMatchObject([{ status: 'canceled' }]);
  expect(await query('SELECT 1 FROM usage_counters WHERE user_id = $1', [user.id])).toEqual([]);
});

it('who calls while they are erased is not counted, and nothing is left of it', async () => {
  const { user } = await person();
  await givePlan(gateway, user.id, 'free');
  const counts = callCounts();
  const limit = jest.replaceProperty(counts.calls, 'longestWaitMs', 2 ** 31 - 1);
  await meterCounts().addUse(user.id, 'ai_tokens', 1);
  const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
  const held = await HeldLock.acquire(gateway.service, 'SELECT 1 FROM usage_counters WHERE user_id = $1 FOR UPDATE', [
    user.id,
  ]);
  const erased = admin.delete(`/v1/users/${user.id}?permanent=true`);
  await held.waitForBlocked(1);
  const use = Promise.allSettled([counts.countCall(user.id)]).finally(() => limit.restore());
  await held.waitForBlocked(2);
  await held.release();
  expect((await erased).status).toBe(200);
  expect(await use).toMatchObject([
    { status: 'rejected', reason: { message: expect.stringContaining('There is no user') } },
  ]);
  expect(await query('SELECT 1 FROM usage_counters WHERE user_id = $1', [user.id])).toEqual([]);
});
