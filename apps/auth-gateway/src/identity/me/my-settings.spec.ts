import type { KeyResponse, MySettingsResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { createApp } from '../../testing/apps.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';

let gateway: GatewayTest;
beforeAll(async () => {
  gateway = await GatewayTest.start();
});
afterAll(() => gateway.stop());

const PATH = '/v1/me/settings';
const settings = (confirmation_enabled: boolean | null) => ({
  status: 200,
  body: { settings: { confirmation_enabled } },
});

it('are the user’s own, kept until they change them', async () => {
  const { id: tenant_id } = await createTenant(gateway.backend());
  for (const changes of [{}, { tenant_id }]) {
    const client = await gateway.signIn(await gateway.user(changes));
    const other = await gateway.signIn(await gateway.user(changes));
    expect(await client.get(PATH)).toMatchObject(settings(null));
    for (const enabled of [true, false, null, false]) {
      expect(await client.patch(PATH, { confirmation_enabled: enabled })).toMatchObject(settings(enabled));
      expect(await client.get(PATH)).toMatchObject(settings(enabled));
    }
    expect(await client.patch(PATH, {})).toMatchObject(settings(false));
    expect(await other.get(PATH)).toMatchObject(settings(null));
  }
});

it('take a person: a key reads them, and a trusted backend acts for one', async () => {
  const user = await gateway.user();
  const client = await gateway.signIn(user);
  const { body: key } = await client.post<KeyResponse>('/v1/keys', { name: 'agent' });
  const withKey = gateway.client().withHeaders({ 'x-api-key': key.key });
  expect(await withKey.get(PATH)).toMatchObject(settings(null));
  expect(await withKey.patch(PATH, { confirmation_enabled: false })).toMatchObject({
    status: 403,
    body: { code: 'session_required' },
  });
  expect((await gateway.client().patch(PATH, { confirmation_enabled: false })).status).toBe(401);
  expect(await client.get(PATH)).toMatchObject(settings(null));
  expect(await gateway.actingFor(user.id).patch(PATH, { confirmation_enabled: false })).toMatchObject(settings(false));
  const other = await gateway.user();
  expect(await client.patch(PATH, { confirmation_enabled: true, user_id: other.id })).toMatchObject({
    status: 403,
    body: { code: 'other_user' },
  });
});

it.each([
  { confirmation_enabled: 'no' },
  { confirmation_enabled: 0 },
  { confirmation_ttl: 60 },
  { notifications: 'off' },
])('do not take %j', async (body) => {
  const client = await gateway.signIn(await gateway.user());
  expect((await client.patch(PATH, body)).status).toBe(422);
});

it('are in the audit log when they change, and not otherwise', async () => {
  const user = await gateway.user();
  const client = await gateway.signIn(user);
  for (const enabled of [null, false, false]) await client.patch(PATH, { confirmation_enabled: enabled });
  const entries = await gateway.service.query(
    "SELECT before_state, after_state FROM gateway_audit.audit_entries WHERE target_id = $1 AND action = 'user.settings_changed'",
    [user.id],
  );
  expect(entries).toEqual([
    { before_state: { confirmation_enabled: null }, after_state: { confirmation_enabled: false } },
  ]);
});

describe('by which channels apps reach a user', () => {
  const notifications = { enabled: true, default: ['bell', 'email'], apps: {} };
  const set = (client: TestClient, changes: unknown) =>
    client.patch<MySettingsResponse>(PATH, { notifications: changes });

  it('is all of them until they say otherwise, a part at a time', async () => {
    const user = await gateway.user();
    const client = await gateway.signIn(user);
    const { app_id } = await createApp(gateway);
    const { app_id: own } = await createApp(gateway, { developer_id: await developer(user.id), status: 'draft' });
    expect((await client.get<MySettingsResponse>(PATH)).body.settings).toEqual({
      confirmation_enabled: null,
      notifications,
    });
    const after = { ...notifications, default: ['bell'] };
    expect((await set(client, { default: ['bell'] })).body.settings.notifications).toEqual(after);
    const apps = { [app_id]: [], [own]: ['email'], automations: ['bell'], developer: [] };
    expect((await set(client, { apps })).body.settings.notifications).toEqual({ ...after, apps });
    expect((await set(client, { enabled: false })).body.settings.notifications).toEqual({
      ...after,
      apps,
      enabled: false,
    });
    expect((await client.patch<MySettingsResponse>(PATH, { confirmation_enabled: true })).body.settings).toEqual({
      confirmation_enabled: true,
      notifications: { ...after, apps, enabled: false },
    });
    expect((await set(client, null)).body.settings.notifications).toEqual(notifications);
    const entries = await gateway.service.query<{ after_state: object }>(
      "SELECT after_state FROM gateway_audit.audit_entries WHERE target_id = $1 AND action = 'user.settings_changed' ORDER BY id",
      [user.id],
    );
    expect(entries.map(({ after_state }) => after_state)).toEqual([
      { notifications: after },
      { notifications: { ...after, apps } },
      { notifications: { ...after, apps, enabled: false } },
      { confirmation_enabled: true },
      { notifications: null },
    ]);
  });

  it.each<[string, unknown, (string | number)[]]>([
    ['a channel that is not served', { default: ['telegram'] }, ['default', '0']],
    ['a channel that there is not', { apps: { automations: ['bell', 'pigeon'] } }, ['apps', 'automations', '1']],
    ['a channel twice', { default: ['bell', 'bell'] }, ['default']],
    ['channels that are no list', { default: 'bell' }, ['default']],
    ['an app that there is not', { apps: { 'no-such-app': [] } }, ['apps', 'no-such-app']],
    ['an app of the system that cannot be muted', { apps: { billing: [] } }, ['apps', 'billing']],
    ['what is no id', { apps: { 'No App': [] } }, ['apps', 'No App']],
    [
      'more apps than there is room for',
      { apps: Object.fromEntries(Array.from({ length: 101 }, (_n, at) => [`app-${at}`, []])) },
      ['apps'],
    ],
    ['apps that are no dictionary', { apps: [] }, ['apps']],
    ['half a yes', { enabled: 1 }, ['enabled']],
    ['a key that there is not', { muted: true }, ['muted']],
  ])('does not take %s', async (_what, changes, path) => {
    const client = await gateway.signIn(await gateway.user());
    const { status, body } = await client.patch<{ detail: { loc: unknown[]; msg: string }[] }>(PATH, {
      notifications: changes,
    });
    expect(status).toBe(422);
    expect(body.detail.map(({ loc }) => loc)).toEqual([['body', 'notifications', ...path]]);
    if (path.includes('0')) expect(body.detail[0]?.msg).toContain('Telegram');
    expect((await client.get<MySettingsResponse>(PATH)).body.settings.notifications).toEqual(notifications);
  });

  it('says nothing of drafts of others', async () => {
    const client = await gateway.signIn(await gateway.user());
    const { app_id } = await createApp(gateway, { status: 'draft' });
    expect((await set(client, { apps: { [app_id]: [] } })).status).toBe(422);
  });

  async function developer(id: string): Promise<string> {
    await gateway.service.query("INSERT INTO developers (user_id, display_name) VALUES ($1, 'Ada')", [id]);
    return id;
  }
});
