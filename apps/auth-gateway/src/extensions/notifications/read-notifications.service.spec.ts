import type { KeyResponse, NotificationsResponse, UnreadNotificationsResponse } from '@platform/contracts';
import { Outbox } from '@platform/persistence';
import type { TestClient } from '@platform/testing';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';
import { UserNotificationsService } from './user-notifications.service.js';

let gateway: GatewayTest;
let user: TestUser;
let client: TestClient;
beforeAll(async () => (gateway = await GatewayTest.start()));
beforeEach(async () => {
  user = await gateway.user();
  client = await gateway.signIn(user);
});
afterAll(() => gateway.stop());

const PATH = '/v1/me/notifications';

/** Sends this many notifications. Returns their ids, newest first. */
async function tell(count: number, { id: user_id, tenant_id = 'default' } = user): Promise<string[]> {
  const { app } = gateway.service;
  for (let at = 0; at < count; at++) {
    const said = { app_id: 'billing', user_id, tenant_id, message: `Message ${at}` };
    await app.get(Outbox).transaction((em) => app.get(UserNotificationsService).storeNotification(em, said));
  }
  const rows = await gateway.service.query<{ id: string }>(
    'SELECT id FROM notifications WHERE user_id = $1 ORDER BY created_at DESC, id DESC',
    [user_id],
  );
  return rows.map(({ id }) => id);
}
const list = async (query = '', as = client) => (await as.get<NotificationsResponse>(`${PATH}${query}`)).body;
const mark = (body: object, as = client) =>
  as.post<UnreadNotificationsResponse & { code?: string }>(`${PATH}/read`, body);
const unreadIds = async (as = client) => (await list('?unread=true', as)).items.map(({ id }) => id);
/** Unread counts in the events to the user's devices. */
const told = async ({ id } = user) =>
  (
    await gateway.service.query<{ payload: { unread_count: number } }>(
      "SELECT payload FROM platform_events WHERE type = 'notification.read' AND user_id = $1 ORDER BY insert_number",
      [id],
    )
  ).map(({ payload }) => payload.unread_count);

it('says what is unread, and marks what was seen, once', async () => {
  const [newest = '', second = '', third = ''] = await tell(3);
  expect((await list()).items.map(({ read_at }) => read_at)).toEqual([null, null, null]);
  expect(await mark({ ids: [second] })).toMatchObject({ status: 200, body: { unread_count: 2 } });
  expect(await list()).toMatchObject({
    items: [
      { id: newest, read_at: null },
      { id: second, read_at: expect.any(String) },
      { id: third, read_at: null },
    ],
    unread_count: 2,
  });
  expect(await list('?unread=true&limit=1')).toMatchObject({ items: [{ id: newest }], unread_count: 2 });
  const before = (await list()).items[1]?.read_at;
  expect(await mark({ ids: [second] })).toMatchObject({ status: 200, body: { unread_count: 2 } });
  expect((await list()).items[1]?.read_at).toBe(before);
  expect(await told()).toEqual([2]);
});

it('marks all up to what was shown: what came meanwhile stays unread', async () => {
  const [shown = ''] = await tell(3);
  const [meanwhile] = await tell(1);
  expect((await mark({ until: shown })).body).toEqual({ unread_count: 1 });
  expect(await unreadIds()).toEqual([meanwhile]);
  expect((await mark({ until: shown })).body).toEqual({ unread_count: 1 });
  expect(await told()).toEqual([1]);
});

it('counts no further than to a hundred', async () => {
  const [newest = ''] = await tell(1);
  await gateway.service.query(
    `INSERT INTO notifications (id, user_id, tenant_id, app_id, channel, priority, message, created_at)
     SELECT 'ntf_' || $1 || n, $1, 'default', 'billing', 'in_app', 'low', '', now() - n * interval '1 minute' FROM generate_series(1, 150) n`,
    [user.id],
  );
  expect((await list('?limit=1')).unread_count).toBe(100);
  expect((await mark({ ids: [newest] })).body).toEqual({ unread_count: 100 });
  expect((await mark({ until: newest })).body).toEqual({ unread_count: 0 });
});

it('is of the user alone: what is another’s, in this tenant or another one, stays as it is', async () => {
  const { id: tenant_id } = await createTenant(gateway.backend());
  for (const other of [await gateway.user(), await gateway.user({ tenant_id })]) {
    const [theirs = ''] = await tell(2, other);
    const own = await tell(1);
    expect((await mark({ ids: [theirs, 'ntf_no_such'] })).body).toEqual({ unread_count: own.length });
    expect(await mark({ until: theirs })).toMatchObject({ status: 404, body: { code: 'notification.not_found' } });
    const them = await gateway.signIn(other);
    expect((await list('', them)).unread_count).toBe(2);
    expect(await told(other)).toEqual([]);
  }
  expect(await told()).toEqual([]);
});

it('takes a key that may write, and none that may only read', async () => {
  const [newest = ''] = await tell(1);
  const key = async (scopes: string) => {
    const { body } = await client.post<KeyResponse>('/v1/keys', { name: scopes, scopes });
    return gateway.client().withHeaders({ Authorization: `Bearer ${body.key}` });
  };
  const reader = await key('profile:read');
  expect((await list('', reader)).unread_count).toBe(1);
  expect((await mark({ until: newest }, reader)).status).toBe(403);
  expect((await mark({ until: newest }, gateway.client())).status).toBe(401);
  expect((await list()).unread_count).toBe(1);
  expect((await mark({ until: newest }, await key('profile:write'))).body).toEqual({ unread_count: 0 });
});

it.each<[string, object]>([
  ['neither', {}],
  ['null for both', { ids: null, until: null }],
  ['null for the only one', { ids: null }],
  ['both', { ids: [], until: 'ntf_x' }],
  ['more than a hundred', { ids: Array.from({ length: 101 }, (_value, at) => `ntf_${at}`) }],
  ['what is no list', { ids: 'ntf_x' }],
  ['what is no id', { until: 7 }],
  ['a key that there is not', { until: 'ntf_x', all: true }],
])('does not take %s', async (_what, body) => {
  await tell(1);
  expect((await mark(body)).status).toBe(422);
  expect((await list()).unread_count).toBe(1);
});

it('counts right in the end, whoever comes at the same time', async () => {
  const ids = await tell(12);
  const answers = await Promise.all([
    ...ids.slice(2).map((id) => mark({ ids: [id] })),
    mark({ until: ids[6] }),
    mark({ ids: ids.slice(4, 9) }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(await unreadIds()).toEqual(ids.slice(0, 2));
  const counts = await told();
  expect(counts.at(-1)).toBe(2);
  expect(counts).toEqual([...counts].sort((one, other) => other - one));
});
