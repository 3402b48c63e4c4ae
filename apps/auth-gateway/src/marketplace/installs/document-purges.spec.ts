import type { UninstallResult } from '@platform/contracts';
import { TEST_SERVICE_TOKEN, until, type TestClient } from '@platform/testing';
import { createTenant } from '../../testing/tenants.js';
import type { TestDeveloper } from '../../testing/deploys.js';
import { ExtensionPlatform } from '../../testing/extension-platform.js';
import { newAppId } from '../../testing/apps.js';
import type { TestUser } from '../../testing/gateway.js';
import { DocumentPurges } from './document-purges.js';

/** What an app keeps for a user who has removed it. The host is the real one. */
let platform: ExtensionPlatform;
let user: TestUser;
let client: TestClient;
let appId: string;
let developer: TestDeveloper;
beforeAll(async () => {
  platform = await ExtensionPlatform.start();
});
beforeEach(async () => {
  const { id: tenant_id } = await createTenant(platform.test.gateway.backend());
  user = await platform.test.gateway.user({ tenant_id });
  client = await platform.test.gateway.signedIn(user);
  appId = await published();
  await install();
});
afterAll(() => platform.stop());

async function published(): Promise<string> {
  developer = await platform.test.developer();
  const id = await platform.test.app(developer);
  const steps = [
    {
      id: 'now',
      kind: 'function',
      action: 'now',
      params: {
        description: 'Says what time it is, as it should.',
        action_type: 'read',
        params_schema: { type: 'object' },
        steps: [{ id: 'now', kind: 'transform', action: 'now', params: {} }],
      },
    },
  ];
  const ir_dict = { app_id: id, version: '1.0.0', name: 'App', steps };
  expect(await platform.test.deployed(developer, id, { ir_dict })).toMatchObject({ status: 'success' });
  await platform.test.query("UPDATE apps SET status = 'active', published_at = now() WHERE app_id = $1", [id]);
  return id;
}
const path = () => `/v1/marketplace/apps/${appId}/install`;
const install = async () => expect((await client.post(path(), {})).status).toBe(200);
const uninstall = (query = '') => client.delete<UninstallResult>(path() + query);
const removed = async (query = '') => {
  const { status, body } = await uninstall(query);
  expect(status).toBe(200);
  return body;
};
const query = <Row>(sql: string, values: unknown[] = []) => platform.test.query<Row>(sql, values);
/** As a run of the app would. */
const keep = async (id: string, { userId = user.id, tenantId = user.tenant_id, app = appId } = {}) => {
  await platform.host.query(
    `INSERT INTO ext_host.documents (tenant_id, app_id, collection, user_id, id, data, bytes, etag)
     VALUES ($1, $2, 'kept', $3, $4, '{}', 2, 'e')`,
    [tenantId, app, userId, id],
  );
};
const keepSecret = () =>
  platform.host.query("INSERT INTO ext_host.secrets (app_id, identity, name, sealed, key_id) VALUES ($1, $2, 'token', 'k1.x', 'k1')", [
    appId,
    user.id,
  ]);
const secrets = async () => (await platform.host.query('SELECT FROM ext_host.secrets WHERE app_id = $1', [appId])).length;
const kept = async (app = appId) =>
  (await platform.host.query<{ id: string }>('SELECT id FROM ext_host.documents WHERE app_id = $1 ORDER BY id', [app])).map(({ id }) => id);
const purges = () =>
  query<{ is_asked: boolean; is_due: boolean; in_days: number }>(
    `SELECT is_asked, due_at <= now() AS is_due, round(extract(epoch FROM due_at - removed_at) / 86400)::int AS in_days
     FROM document_purges WHERE user_id = $1 AND app_id = $2`,
    [user.id, appId],
  );
/** As if so much time had gone by since the removal. */
const later = (interval: string) =>
  query(
    'UPDATE document_purges SET removed_at = removed_at - $3::interval, due_at = due_at - $3::interval WHERE user_id = $1 AND app_id = $2',
    [user.id, appId, interval],
  );
const purgeDue = () => platform.test.gateway.service.app.get(DocumentPurges).purgeDue();

describe('what an app keeps for a user who removes it', () => {
  it('is deleted 30 days later, with the secrets, and not what it keeps for others and itself', async () => {
    const other = await platform.test.gateway.user();
    const otherApp = newAppId();
    await keep('mine');
    await keepSecret();
    await keep('of another user', { userId: other.id, tenantId: 'default' });
    await keep('of the app', { userId: '__system__' });
    await keep('of another app', { app: otherApp });
    const { kept_until } = await removed();
    expect(new Date(kept_until ?? 0).getTime() - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
    expect((await removed()).kept_until).toBe(kept_until);
    expect(await purges()).toEqual([{ is_asked: false, is_due: false, in_days: 30 }]);
    await later('29 days');
    await purgeDue();
    expect(await kept()).toEqual(['mine', 'of another user', 'of the app']);
    await later('2 days');
    await Promise.all([purgeDue(), purgeDue()]);
    expect(await kept()).toEqual(['of another user', 'of the app']);
    expect(await secrets()).toBe(0);
    expect(await kept(otherApp)).toEqual(['of another app']);
    expect(await purges()).toEqual([]);
  });

  it('stays when the user installs the app again before', async () => {
    await keep('mine');
    await removed();
    await later('29 days');
    await install();
    expect(await purges()).toEqual([]);
    await purgeDue();
    expect(await kept()).toEqual(['mine']);
    expect((await removed()).kept_until).not.toBeNull();
    expect(await purges()).toEqual([{ is_asked: false, is_due: false, in_days: 30 }]);
  });

  it('is deleted at once when the user wants it, also afterwards, and what runs still kept by then a while later', async () => {
    await keep('mine');
    await keepSecret();
    expect(await removed('?purge=true')).toMatchObject({ uninstalled_at: expect.any(String), kept_until: null });
    await purgeDue();
    expect(await kept()).toEqual([]);
    expect(await secrets()).toBe(1);
    await keep('by a run that went on');
    await later('2 hours');
    await purgeDue();
    expect(await kept()).toEqual([]);
    expect([await secrets(), await purges()]).toEqual([0, []]);
    await install();
    await keep('again');
    await removed();
    expect(await kept()).toEqual(['again']);
    await Promise.all([removed('?purge=true'), removed('?purge=true')]);
    await purgeDue();
    expect(await kept()).toEqual([]);
    expect(await purges()).toMatchObject([{ is_asked: true }]);
  });

  it('is deleted up to when the user installed it again, where they wanted that and the host was away', async () => {
    await keep('before');
    await platform.wire.cut();
    try {
      expect((await removed('?purge=true')).kept_until).toBeNull();
      await purgeDue();
      expect(await kept()).toEqual(['before']);
      expect(await purges()).toEqual([{ is_asked: true, is_due: true, in_days: 0 }]);
      await install();
      await keep('after');
    } finally {
      await platform.wire.mend();
    }
    await until(async () => {
      await purgeDue();
      return !(await kept()).includes('before');
    });
    await later('3 hours');
    await query('UPDATE document_purges SET due_at = now() WHERE user_id = $1', [user.id]);
    await purgeDue();
    expect(await kept()).toEqual(['after']);
    expect(await purges()).toEqual([]);
  });

  it('is not deleted for a word that is none, nor by who may not remove it, nor for others', async () => {
    await keep('mine');
    expect((await uninstall('?purge=perhaps')).status).toBe(422);
    expect((await uninstall('?purge=true&perge=true')).status).toBe(422);
    expect((await platform.test.gateway.client().delete(`${path()}?purge=true`)).status).toBe(401);
    const { body } = await client.post<{ key: string }>('/v1/keys', { name: 'reads', scopes: 'installs:read' });
    expect((await platform.test.gateway.client().bearer(body.key).delete(`${path()}?purge=true`)).status).toBe(403);
    const stranger = await platform.test.gateway.signedIn(await platform.test.gateway.user());
    expect(await stranger.delete(`${path()}?purge=true`)).toMatchObject({ status: 200, body: { uninstalled_at: null, kept_until: null } });
    await purgeDue();
    expect(await kept()).toEqual(['mine']);
    expect(await purges()).toEqual([]);
  });

  it('is deleted when the user is erased', async () => {
    await keep('mine');
    const admin = await platform.test.gateway.signedIn(
      await platform.test.gateway.user({ role: 'admin', tenant_id: user.tenant_id ?? '' }),
    );
    expect((await admin.delete(`/v1/users/${user.id}?permanent=true`)).status).toBe(200);
    await until(async () => {
      await purgeDue();
      return (await kept()).length === 0;
    });
    expect(await purges()).toMatchObject([{ is_asked: true }]);
  });

  it('is deleted 30 days after the app is', async () => {
    await keep('mine');
    await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [appId]);
    expect(await developer.client.request('DELETE', `/v1/developer/apps/${appId}`, { confirm_name: appId })).toMatchObject({
      status: 200,
      body: { installs_purged: 1 },
    });
    expect(await purges()).toEqual([{ is_asked: false, is_due: false, in_days: 30 }]);
    await purgeDue();
    expect(await kept()).toEqual(['mine']);
    await later('31 days');
    await purgeDue();
    expect([await kept(), await purges()]).toEqual([[], []]);
  });
});

describe('the host', () => {
  it('deletes nothing of apps themselves, for nobody but the gateway', async () => {
    await keep('of the app', { userId: '__system__', tenantId: 'default' });
    const target = `/v1/internal/apps/${appId}/purges`;
    const request = { user_id: '__system__', tenant_id: 'default', created_before: new Date().toISOString(), with_secrets: true };
    expect((await platform.host.client().post(target, request)).status).toBe(401);
    const backend = platform.host.client().with({ 'X-Service-Token': TEST_SERVICE_TOKEN });
    expect((await backend.post(target, request)).status).toBe(422);
    expect((await backend.post(target, { ...request, user_id: user.id })).status).toBe(200);
    expect(await kept()).toEqual(['of the app']);
  });
});
