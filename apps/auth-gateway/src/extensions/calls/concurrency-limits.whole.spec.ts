import type { CallResponse, ConfirmationResponse, OperateResponse } from '@platform/contracts';
import { ConcurrencyLimit } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import { tool } from '../../testing/apps.js';
import { givePlan } from '../../testing/billing.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { FakeRunHost, SUCCESS } from '../../testing/fake-run-host.js';
import { CALL_CONCURRENCY_LIMITS } from './call-concurrency-limits.js';

let host: FakeRunHost;
let platform: RegistryTest;
beforeAll(async () => {
  host = await FakeRunHost.start();
  platform = await RegistryTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
});
afterEach(() => host.reset());
afterAll(async () => {
  await platform.stop();
  await host.stop();
});

interface Person {
  user: TestUser;
  client: TestClient;
}

async function person(...apps: string[]): Promise<Person> {
  const user = await platform.gateway.user();
  await givePlan(platform.gateway, user.id, 'enterprise'); // some make more calls than the free plan allows
  const client = await platform.gateway.signIn(user);
  for (const app of apps) expect((await client.post(`/v1/marketplace/apps/${app}/install`, {})).status).toBe(200);
  return { user, client };
}

const newApp = async (): Promise<string> => {
  const tools = [tool('slow'), tool('quick'), tool('purge', { action_type: 'destructive' })];
  return (await createRegisteredApp(platform, { tools, document: {} })).app_id;
};

const call = ({ user, client }: Person, app: string, name: string) =>
  client.post<CallResponse>(`/v1/extensions/${app}/call`, { user_id: user.id, function: name });

/** Holds all calls of `slow` and `purge` until `letGo`. */
function holdSlow() {
  const waiting: (() => void)[] = [];
  host.answer = (run) =>
    run.function === 'quick'
      ? { ...SUCCESS }
      : new Promise((resolve) => waiting.push(() => resolve({ ...SUCCESS, data: 'slow' })));
  const letGo = (): void => {
    host.reset();
    for (const answer of waiting.splice(0)) answer();
  };
  return { waiting, letGo };
}

/** Calls wait for a slot for up to a minute, so that none gives up on a slow machine. */
const waitLong = () => jest.replaceProperty(CALL_CONCURRENCY_LIMITS, 'waitMs', 60_000);
afterEach(() => jest.restoreAllMocks());

const LIMITED = { status: 429, body: { code: 'rate_limited' } };

describe('calls of a function that waits', () => {
  it('by one user hold their share, and leave those of others and of other apps alone', async () => {
    const [slow, other] = [await newApp(), await newApp()];
    const [noisy, quiet] = [await person(slow, other), await person(slow, other)];
    const { waiting, letGo } = holdSlow();
    let answered = 0;
    const calls = Promise.all(Array.from({ length: 520 }, () => call(noisy, slow, 'slow').finally(() => answered++)));
    await until(() => waiting.length === 32);
    for (const [who, app] of [[quiet, slow] as const, [quiet, other] as const, [noisy, other] as const]) {
      expect(await call(who, app, 'quick')).toMatchObject({ status: 200, body: { status: 'success' } });
    }
    expect(waiting).toHaveLength(32);
    // A call without a slot waits, and is then refused before it runs.
    const limited = await call(noisy, slow, 'quick');
    expect(limited).toMatchObject(LIMITED);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    await until(() => answered === 520 - 32); // including those that came late
    letGo();
    const answers = await calls;
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(32);
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(LIMITED);
  });

  it('go on one after the other as places become free, those of a batch too', async () => {
    waitLong();
    const app = await newApp();
    const busy = await person(app);
    const { waiting, letGo } = holdSlow();
    const held = Array.from({ length: 32 }, () => call(busy, app, 'slow'));
    await until(() => waiting.length === 32);
    const batch = busy.client.post<CallResponse[]>(`/v1/extensions/${app}/batch`, {
      user_id: busy.user.id,
      calls: Array.from({ length: 10 }, () => ({ function: 'quick' })),
    });
    waiting.splice(0, 1)[0]?.();
    expect((await batch).body.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'success'));
    letGo();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(held.map(() => 200));
  });

  it('fail each by itself in a batch, and may be repeated', async () => {
    const app = await newApp();
    const busy = await person(app);
    const { waiting, letGo } = holdSlow();
    const held = Array.from({ length: 32 }, () => call(busy, app, 'slow'));
    await until(() => waiting.length === 32);
    const batch = await busy.client.post<CallResponse[]>(`/v1/extensions/${app}/batch`, {
      user_id: busy.user.id,
      calls: [{ function: 'quick' }, { function: 'quick' }],
    });
    expect(batch).toMatchObject({
      status: 200,
      body: [1, 2].map(() => ({ error_code: 'RATE_LIMITED', retryable: true })),
    });
    letGo();
    await Promise.all(held);
  });

  it('leave a confirmation to be confirmed later', async () => {
    const app = await newApp();
    const busy = await person(app);
    const { user, client } = busy;
    const asked = await client.post<OperateResponse>(`/v1/extensions/${app}/operate`, {
      user_id: user.id,
      function: 'purge',
    });
    const id = String(asked.body.confirmation_id);
    const { waiting, letGo } = holdSlow();
    const held = Array.from({ length: 32 }, () => call(busy, app, 'slow'));
    await until(() => waiting.length === 32);
    expect(await client.post(`/v1/confirmations/${id}/confirm`)).toMatchObject(LIMITED);
    expect((await client.get<ConfirmationResponse>(`/v1/confirmations/${id}`)).body).toMatchObject({
      status: 'pending',
    });
    letGo();
    await Promise.all(held);
    expect(await client.post(`/v1/confirmations/${id}/confirm`)).toMatchObject({
      status: 200,
      body: { result: { status: 'success' } },
    });
  });

  it('run no confirmed call of whoever leaves while it waits: it can still be confirmed', async () => {
    waitLong();
    const app = await newApp();
    const busy = await person(app);
    const { user, client } = busy;
    const asked = await client.post<OperateResponse>(`/v1/extensions/${app}/operate`, {
      user_id: user.id,
      function: 'purge',
    });
    const path = `/v1/confirmations/${String(asked.body.confirmation_id)}`;
    const { waiting, letGo } = holdSlow();
    const held = Array.from({ length: 32 }, () => call(busy, app, 'slow'));
    await until(() => waiting.length === 32);
    const controller = new AbortController();
    const Authorization = `Bearer ${(await platform.gateway.login(user)).access_token}`;
    const places = jest.spyOn(ConcurrencyLimit.prototype, 'runInSlot');
    const left = fetch(`${platform.gateway.service.url}${path}/confirm`, {
      method: 'POST',
      headers: { Authorization },
      signal: controller.signal,
    });
    await until(() => places.mock.calls.length === 1);
    controller.abort();
    await expect(left).rejects.toThrow('aborted');
    await expect(places.mock.results[0]?.value).rejects.toBeDefined();
    places.mockRestore();
    letGo();
    await Promise.all(held);
    expect(host.runs.filter((run) => run.app_id === app && run.function === 'purge')).toEqual([]);
    expect((await client.get<ConfirmationResponse>(path)).body).toMatchObject({ status: 'pending' });
    expect(await client.post(`${path}/confirm`)).toMatchObject({
      status: 200,
      body: { result: { status: 'success' } },
    });
  });
});
