import type { AppSchedulesResponse, CallResponse, EventDeliveriesResponse, ScheduleRun } from '@platform/contracts';
import { until, type TestClient } from '@platform/testing';
import type { TestDeveloper } from '../../testing/deploy-test.js';
import { ExtensionPlatform } from '../../testing/extension-platform.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { PlatformEventsService, type PlatformEvent } from './platform-events.service.js';

let platform: ExtensionPlatform;
let developer: TestDeveloper;
let user: TestUser;
let client: TestClient;
let notes: string;
let digest: string;
const heard: PlatformEvent[] = [];
beforeAll(async () => {
  platform = await ExtensionPlatform.start();
  const { test } = platform;
  test.gateway.service.app.get(PlatformEventsService).onEvent('spec', async (event) => {
    heard.push(event);
    return Promise.resolve();
  });
  developer = await test.developer();
  [notes, digest] = [await test.app(developer), await test.app(developer)];
  user = await test.gateway.user({ scopes: [`${notes}:*`, `${digest}:*`] });
  client = await test.gateway.signIn(user);
});
afterAll(() => platform.stop());

const list = (kind: string, action: string, params: object, id = action) => ({ id, kind, action, params });
const keep = (data: object) => list('store', 'create', { kind: 'kept', data });
const fn = (name: string, action_type: string, steps: object[], more: object = {}) =>
  list('function', name, {
    description: `Does ${name} as it is told.`,
    action_type,
    params_schema: { type: 'object' },
    steps,
    ...more,
  });
const listKept = () => fn('list', 'read', [list('store', 'list', { kind: 'kept' })]);

async function deploy(appId: string, steps: object[], version = '1.0.0'): Promise<void> {
  const { status, error_message } = await platform.test.deployAndWait(developer, appId, {
    version,
    ir_dict: { app_id: appId, version, name: 'App', steps },
  });
  expect([status, error_message]).toEqual(['success', '']);
}
const activate = (appId: string) =>
  platform.test.query("UPDATE apps SET status = 'active', published_at = now() WHERE app_id = $1", [appId]);
const install = (appId: string) => client.post(`/v1/marketplace/apps/${appId}/install`, {});
const call = async (appId: string, name: string) =>
  (await client.post<CallResponse>(`/v1/extensions/${appId}/call`, { user_id: user.id, function: name, params: {} }))
    .body;
const kept = async () => ((await call(digest, 'list')).data as { docs: object[] }).docs;
const portal = (path: string) => `/v1/developer/apps/${digest}/${path}`;
const known = (table: string, appId: string) =>
  until(async () => (await platform.host.query(`SELECT FROM ext_host.${table} WHERE app_id = $1`, [appId])).length);

it('an app handles what another one publishes for a user who has both, and that it was installed itself', async () => {
  await deploy(notes, [fn('add', 'write', [list('transform', 'set', { value: { id: 7 } })], { event: 'added' })]);
  await deploy(digest, [
    listKept(),
    list(
      'event',
      `${notes}.*`,
      { steps: [keep({ type: '{{event.type}}', source: '{{event.source}}', user: '{{user.platform_id}}' })] },
      'on-added',
    ),
    list(
      'event',
      'marketplace.app_installed',
      { steps: [keep({ installed: '{{event.data.app_id}}' })] },
      'on-installed',
    ),
    list('schedule', 'nightly', { cron: '0 3 * * *', steps: [list('log', 'info', { message: 'Good night' })] }),
  ]);
  await activate(notes);
  await activate(digest);
  await known('event_subscriptions', digest);
  await install(digest);
  await install(notes);
  expect((await call(notes, 'add')).status).toBe('success');
  const docs = await until(async () => {
    const found = await kept();
    return found.length >= 2 && found;
  });
  expect(docs).toHaveLength(2);
  const expected = [{ installed: digest }, { type: `${notes}.added`, source: notes, user: user.id }];
  for (const doc of expected) expect(docs).toContainEqual(expect.objectContaining(doc));
  await until(() => heard.some(({ source }) => source === notes));
  expect(heard.filter(({ source }) => source === notes)).toMatchObject([
    { type: `${notes}.added`, userId: user.id, tenantId: 'default' },
  ]);
  const { body } = await developer.client.get<EventDeliveriesResponse>(portal('event-deliveries'));
  expect(body.items.map(({ type, status }) => [type, status]).sort()).toEqual(
    [
      [`${notes}.added`, 'succeeded'],
      ['marketplace.app_installed', 'succeeded'],
    ].sort(),
  );
  const again = await developer.client.post(portal(`event-deliveries/${body.items[0]?.event_id}/replay`));
  expect(again.status).toBe(202);
  await until(async () => (await kept()).length === 3);
});

it('an app that was removed handles that with what it keeps for its user, and calls no other app for them', async () => {
  const apps = await Promise.all([1, 2, 3].map(() => platform.test.app(developer)));
  const [left = '', reaching = '', other = ''] = apps;
  const hear = [list('store', 'list', { kind: 'kept' }, 'kept'), keep({ found: '{{prev}}' })];
  const reach = [keep({ by: '{{user.platform_id}}' }), list('call', `${other}.list`, {}, 'reach-other')];
  const add = fn('add', 'write', [keep({ address: 'https://example.com/hook' })]);
  await deploy(left, [add, list('event', 'marketplace.app_uninstalled', { steps: hear }, 'hear')]);
  await deploy(reaching, [add, list('event', 'marketplace.app_uninstalled', { steps: reach }, 'reach')]);
  await deploy(other, [listKept()]);
  for (const appId of apps) await activate(appId);
  for (const appId of apps) await install(appId);
  const documents = async (appId: string) =>
    (
      await platform.host.query<{ data: object }>(
        `SELECT data FROM ext_host.documents WHERE app_id = $1 AND user_id = $2 AND tenant_id = 'default' ORDER BY created_at`,
        [appId, user.id],
      )
    ).map(({ data }) => data);
  const remove = async (appId: string) => {
    await known('event_subscriptions', appId);
    expect((await call(appId, 'add')).status).toBe('success');
    expect((await client.delete(`/v1/marketplace/apps/${appId}/install`)).status).toBe(200);
    await until(async () => (await documents(appId)).length === 2);
    return documents(appId);
  };
  const deliveries = async (appId: string) =>
    (await developer.client.get<EventDeliveriesResponse>(`/v1/developer/apps/${appId}/event-deliveries`)).body.items;

  const [, found] = await remove(left);
  expect(JSON.stringify(found)).toContain('https://example.com/hook');
  await until(async () => (await deliveries(left))[0]?.status === 'succeeded');
  expect(await remove(reaching)).toMatchObject([{}, { by: user.id }]);
  await until(async () => (await deliveries(reaching))[0]?.error);
  expect(await deliveries(reaching)).toMatchObject([
    { type: 'marketplace.app_uninstalled', error: expect.stringContaining('RUN_REFUSED') },
  ]);
});

it('a developer sees the schedules of the version that runs, and runs one; not while the app is suspended', async () => {
  const schedules = async () => (await developer.client.get<AppSchedulesResponse>(portal('schedules'))).body.items;
  expect(await schedules()).toMatchObject([{ name: 'nightly', cron: '0 3 * * *', recent_runs: [] }]);
  const { status, body } = await developer.client.post<ScheduleRun>(portal('schedules/nightly/run'));
  expect([status, body.status, body.trigger]).toEqual([202, 'pending', 'manual']);
  await until(async () => (await schedules())[0]?.recent_runs[0]?.status === 'succeeded');
  await platform.test.query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [digest]);
  await until(async () => (await schedules())[0]?.next_run_at === null);
  expect(await developer.client.post(portal('schedules/nightly/run'))).toMatchObject({
    status: 409,
    body: { code: 'schedule.app_suspended' },
  });
  await activate(digest);
  await deploy(digest, [listKept()], '1.1.0');
  await until(async () => (await schedules()).length === 0);
});
