import type { CallResponse } from '@platform/contracts';
import { QuotasService, type RateLimitPolicy } from '@platform/guards';
import type { TestClient } from '@platform/testing';
import { tool } from '../../testing/apps.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { FakeRunHost, SUCCESS } from '../../testing/fake-run-host.js';
import { UNCOUNTED_APP_LIMIT, UNCOUNTED_LIMIT } from './uncounted-calls.service.js';

let host: FakeRunHost;
let platform: RegistryTest;
let user: TestUser;
let client: TestClient;
let appId: string;
beforeAll(async () => {
  host = await FakeRunHost.start();
  platform = await RegistryTest.start({ EXT_WEBHOOK_HOST_URL: host.url, RATE_LIMIT_SCALE: '1' });
  ({ app_id: appId } = await createRegisteredApp(platform, { tools: [tool('list_notes')], document: {} }));
});
beforeEach(async () => {
  user = await platform.gateway.user();
  client = await platform.gateway.signIn(user);
  expect((await client.post(`/v1/marketplace/apps/${appId}/install`, {})).status).toBe(200);
});
afterAll(async () => {
  await platform.stop();
  await host.stop();
});

const call = (app: string, name: string) =>
  client.post<CallResponse>(`/v1/extensions/${app}/call`, { user_id: user.id, function: name, params: {} });
const balance = () => call('billing', 'get_balance');
const list = () => call(appId, 'list_notes');
const unknown = () => call(appId, 'no_such_function');
const recorded = async () => {
  const [row] = await platform.gateway.service.query<{ count: number }>(
    'SELECT count(*)::int FROM actions WHERE user_id = $1',
    [user.id],
  );
  return row?.count;
};
const take = (limit: RateLimitPolicy, key: string, count: number) =>
  platform.gateway.service.app.get(QuotasService).consume(limit, key, count);
/** Leaves this many of today's uncounted calls. */
const leave = (calls: number) => take(UNCOUNTED_LIMIT, user.id, UNCOUNTED_LIMIT.quota - calls);

const LIMITED = {
  status: 429,
  body: { code: 'rate_limited', detail: expect.stringContaining('calls that no plan counts') },
};

describe('calls that use up no calls of a plan', () => {
  it('have a limit per day; beyond it they are neither run nor recorded, and say when they are possible again', async () => {
    await leave(2);
    for (const make of [balance, unknown]) expect(await make()).toMatchObject({ status: 200 });
    for (const make of [balance, unknown]) {
      const refused = await make();
      expect(refused).toMatchObject(LIMITED);
      // 10,000 a day: one becomes free every 8.64 s.
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(9);
    }
    expect(await recorded()).toBe(2);
  });

  it('take nothing of those that count: these go on beyond the limit', async () => {
    await leave(0);
    expect(await balance()).toMatchObject(LIMITED);
    expect(await list()).toMatchObject({ status: 200, body: { status: 'success' } });
    expect(await recorded()).toBe(1);
  });

  it('that come at once are no more than are left', async () => {
    await leave(5);
    const answers = await Promise.all(Array.from({ length: 40 }, balance));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(await recorded()).toBe(5);
  });

  it('by an app take nothing of what its user may call in person', async () => {
    await take(UNCOUNTED_APP_LIMIT, `${user.id} ${appId}`, UNCOUNTED_APP_LIMIT.quota - 2);
    const codes: unknown[] = [];
    host.answer = async ({ grant }) => {
      for (let at = 0; at < 4; at++) {
        const path = `/v1/internal/extensions/${appId}/call`;
        const { body } = await platform.gateway
          .backend()
          .post<CallResponse & { code?: string }>(path, { grant, function: 'nope', params: {} });
        codes.push(body.error_code ?? body.code);
      }
      return SUCCESS;
    };
    expect(await list()).toMatchObject({ status: 200 });
    host.reset();
    expect(codes).toEqual(['UNKNOWN_SUB_FUNCTION', 'UNKNOWN_SUB_FUNCTION', 'RATE_LIMITED', 'RATE_LIMITED']);
    await leave(1);
    expect(await balance()).toMatchObject({ status: 200 });
  });

  it('are counted for each user alone', async () => {
    await leave(0);
    expect(await balance()).toMatchObject(LIMITED);
    user = await platform.gateway.user();
    client = await platform.gateway.signIn(user);
    expect(await balance()).toMatchObject({ status: 200 });
  });

  it('in a batch are refused one by one', async () => {
    await leave(0);
    const calls = [{ function: 'list_notes' }, { function: 'no_such_function' }];
    expect(await client.post(`/v1/extensions/${appId}/batch`, { user_id: user.id, calls })).toMatchObject({
      status: 200,
      body: [{ status: 'success' }, { status: 'error', error_code: 'RATE_LIMITED', retryable: true }],
    });
  });
});
