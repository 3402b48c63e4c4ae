import type { InstallResult, MarketplaceApp, UninstallResult } from '@platform/contracts';
import { until, type TestClient } from '@platform/testing';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import { createApp, newAppId } from '../../testing/apps.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { InstallEventsService } from './install-events.service.js';
import { InstallFeedService } from './install-feed.service.js';
import { PlatformAppsService } from './platform-apps.service.js';

let platform: RegistryTest;
let registry: RegistryClient;
let user: TestUser;
let client: TestClient;
beforeAll(async () => {
  platform = await RegistryTest.start({ WORKERS: 'inline', RATE_LIMIT_SCALE: '1' });
  registry = platform.gateway.service.app.get(RegistryClient);
});
beforeEach(async () => {
  user = await platform.gateway.user();
  client = await platform.gateway.signIn(user);
});
afterAll(() => platform.stop());

const path = (appId: string) => `/v1/marketplace/apps/${appId}/install`;
const install = (appId: string, as = client) => as.post<InstallResult>(path(appId), {});
const uninstall = (appId: string, as = client) => as.delete<UninstallResult>(path(appId));
const query = <Row>(sql: string, values: unknown[] = []) => platform.gateway.service.query<Row>(sql, values);
const inRegistry = (sql: string, values: unknown[] = []) => platform.registry.query(sql, values);
const copies = (appId: string) =>
  query<{ user_id: string; installed: boolean; revision: string }>(
    'SELECT user_id, removed_at IS NULL AS installed, revision FROM installs WHERE app_id = $1 ORDER BY user_id',
    [appId],
  );
const countOf = async (appId: string) =>
  (await query<{ install_count: number }>('SELECT install_count FROM app_listings WHERE app_id = $1', [appId]))[0]
    ?.install_count;
/** Installs without the system apps, which a task gives each user later. */
const installsOf = async (id: string) =>
  (await registry.listInstalls(id)).filter(({ app_id }) => !['developer', 'automations', 'billing'].includes(app_id));
const copyChanges = () => platform.gateway.service.app.get(InstallFeedService).copyChanges();

describe('an install', () => {
  it('gives the user the app, counts it, and again changes nothing', async () => {
    const { app_id } = await createRegisteredApp(platform);
    const first = await install(app_id);
    expect(first).toMatchObject({
      status: 200,
      body: { app_id, installed: true, installed_at: expect.any(String), status: 'installed', install_count: 1 },
    });
    expect((await install(app_id)).body).toEqual(first.body);
    expect(await installsOf(user.id)).toMatchObject([{ app_id, installed_at: first.body.installed_at }]);
    const shown = async (as: TestClient) => (await as.get<MarketplaceApp>(`/v1/marketplace/apps/${app_id}`)).body;
    expect(await shown(client)).toMatchObject({ install_count: 1, is_installed: true });
    expect(await shown(platform.gateway.client())).toMatchObject({ install_count: 1, is_installed: null });
  });

  it('is taken back by an uninstall, which again changes nothing', async () => {
    const { app_id } = await createRegisteredApp(platform);
    const never = { app_id, installed: false, status: 'uninstalled', uninstalled_at: null, install_count: 0 };
    expect(await uninstall(app_id)).toMatchObject({ status: 200, body: never });
    await install(app_id);
    const first = await uninstall(app_id);
    expect(first).toMatchObject({ status: 200, body: { ...never, uninstalled_at: expect.any(String) } });
    expect((await uninstall(app_id)).body).toEqual(first.body);
    expect(await installsOf(user.id)).toEqual([]);
    expect(await copies(app_id)).toMatchObject([{ user_id: user.id, installed: false }]);
    expect((await install(app_id)).body).toMatchObject({ installed: true, install_count: 1 });
  });

  it('is made by a trusted backend for the user it acts for, and by an API key', async () => {
    const { app_id } = await createRegisteredApp(platform);
    expect((await install(app_id, platform.gateway.actingFor(user.id))).body.install_count).toBe(1);
    const { body } = await client.post<{ key: string }>('/v1/keys', { name: 'installs', scopes: 'installs:write' });
    expect((await uninstall(app_id, platform.gateway.client().withToken(body.key))).body.install_count).toBe(0);
    expect((await install(app_id, platform.gateway.backend())).status).toBe(422);
    for (const answer of [
      await install(app_id, platform.gateway.client()),
      await uninstall(app_id, platform.gateway.client()),
    ]) {
      expect(answer).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
    }
  });

  it('is refused for what is not in the marketplace, in the words that clients look for', async () => {
    const { app_id: draft } = await createRegisteredApp(platform, { status: 'draft' });
    const { app_id: suspended } = await createRegisteredApp(platform, { status: 'suspended' });
    const { app_id: notInRegistry } = await createApp(platform.gateway);
    for (const id of [draft, suspended, notInRegistry, newAppId(), '__proto__', 'a'.repeat(300)]) {
      const answer = await install(id);
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'app.not_active', detail: expect.stringContaining('not found or not active') },
      });
    }
    expect(await installsOf(user.id)).toEqual([]);
  });

  it('outlives the suspension of the app, and can then be taken back', async () => {
    const { app_id } = await createRegisteredApp(platform);
    await install(app_id);
    await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [app_id]);
    expect(await countOf(app_id)).toBe(1);
    expect(await uninstall(app_id)).toMatchObject({ status: 200, body: { install_count: 0 } });
    expect(await uninstall(newAppId())).toMatchObject({ status: 404, body: { code: 'app.not_found' } });
  });

  it('of what belongs to the platform cannot be taken back', async () => {
    const { app_id } = await createRegisteredApp(platform, { system: true });
    expect((await install(app_id)).status).toBe(200);
    expect(await uninstall(app_id)).toMatchObject({ status: 403, body: { code: 'app.system' } });
    expect(await copies(app_id)).toMatchObject([{ user_id: user.id, installed: true }]);
    await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [app_id]);
  });

  it('is refused where the tenant does not let the user', async () => {
    const { app_id } = await createRegisteredApp(platform);
    const holder = await platform.gateway.signIn(await platform.gateway.user({ scopes: ['ledger:read'] }));
    const rule = { mode: 'restricted', required_scopes: ['ledger:read'] };
    expect((await platform.gateway.backend().put(`/v1/extensions/${app_id}/access`, rule)).status).toBe(200);
    expect(await install(app_id)).toMatchObject({ status: 403, body: { code: 'extension.access_denied' } });
    expect((await install(app_id, holder)).status).toBe(200);
  });

  it('is refused to who installs and removes without pause, in all together, and not to others', async () => {
    const { app_id } = await createRegisteredApp(platform);
    const other = await platform.gateway.signIn(await platform.gateway.user());
    const turns = Array.from({ length: 200 }, (_, at) => at);
    const answers = await Promise.all(turns.map((at) => (at % 2 ? install('no-such-app') : uninstall('no-such-app'))));
    const [refused, looked] = [
      answers.filter(({ status }) => status === 429),
      answers.filter(({ status }) => status !== 429),
    ];
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(new Set(looked.map(({ status }) => status))).toEqual(new Set([400, 404]));
    expect((await install(app_id, other)).status).toBe(200);
  });

  it('is refused to who has too many', async () => {
    const { app_id } = await createRegisteredApp(platform);
    await inRegistry(
      "INSERT INTO apps (app_id, display_name, status) SELECT 'many-' || n, 'Many', 'active' FROM generate_series(1, 200) AS n",
    );
    await inRegistry(
      "INSERT INTO installs (user_id, app_id, live_app_id) SELECT $1, 'many-' || n, 'many-' || n FROM generate_series(1, 200) AS n",
      [user.id],
    );
    expect(await install(app_id)).toMatchObject({ status: 409, body: { code: 'install.too_many' } });
    await inRegistry('DELETE FROM installs WHERE user_id = $1', [user.id]);
  });
});

describe('while the Registry is away', () => {
  it('nothing can be installed or taken back, and everything can be looked at', async () => {
    const { app_id } = await createRegisteredApp(platform, { category: 'sales' });
    const { app_id: other } = await createRegisteredApp(platform, { category: 'sales' });
    await install(app_id);
    await platform.wire.cut();
    const away = { status: 503, body: { code: 'registry_unavailable' } };
    for (const answer of [await install(other), await uninstall(app_id)]) {
      expect(answer).toMatchObject(away);
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    const listed = await client.get<MarketplaceApp[]>('/v1/marketplace/apps?category=sales');
    expect(listed.body).toMatchObject([
      { app_id, is_installed: true, install_count: 1 },
      { app_id: other, is_installed: false, install_count: 0 },
    ]);
    await platform.wire.restore();
    expect(await until(async () => [await install(other)].find(({ status }) => status === 200))).toMatchObject({
      body: { install_count: 1 },
    });
  });
});

describe('the copy', () => {
  it('learns of what was installed and removed elsewhere', async () => {
    const { app_id } = await createRegisteredApp(platform);
    await registry.install(user.id, app_id);
    await copyChanges();
    expect(await copies(app_id)).toMatchObject([{ user_id: user.id, installed: true }]);
    expect(await countOf(app_id)).toBe(1);
    await registry.uninstall(user.id, app_id);
    await copyChanges();
    expect(await copies(app_id)).toMatchObject([{ installed: false }]);
    expect(await countOf(app_id)).toBe(0);
  });

  it('tells of each user by itself, so that one who installs and removes without pause holds up nobody', async () => {
    const { app_id } = await createRegisteredApp(platform);
    const other = await platform.gateway.user();
    const events = platform.gateway.service.app.get(InstallEventsService);
    const publish = events.publishChanges.bind(events);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const spy = jest.spyOn(events, 'publishChanges').mockImplementation(async (changes) => {
      if (changes.some(({ user_id }) => user_id === user.id)) await held;
      return publish(changes);
    });
    const told = (userId: string) =>
      query('SELECT FROM platform_events WHERE user_id = $1 AND payload = $2', [userId, { app_id }]);
    try {
      for (let round = 0; round < 3; round++) {
        await registry.install(user.id, app_id);
        await copyChanges();
        await registry.uninstall(user.id, app_id);
        await copyChanges();
      }
      await registry.install(user.id, app_id);
      await registry.install(other.id, app_id);
      await copyChanges();
      await until(async () => (await told(other.id)).length === 1);
      expect(await told(user.id)).toEqual([]);
    } finally {
      letGo();
      spy.mockRestore();
    }
    await until(async () => (await told(user.id)).length === 7);
  });

  it('comes back when it was lost, with the counts', async () => {
    const apps = [await createRegisteredApp(platform), await createRegisteredApp(platform)];
    for (const { app_id } of apps) await install(app_id);
    const before = await query<{ removed_at: Date | null }>('SELECT * FROM installs ORDER BY app_id, user_id');
    await query('DELETE FROM installs');
    expect(await countOf(apps[0]?.app_id ?? '')).toBe(0);
    await query('UPDATE install_feed SET revision = 0');
    await copyChanges();
    for (const { app_id } of apps) expect(await countOf(app_id)).toBe(1);
    // An install that was removed before it was copied comes back as removed.
    const after = await query<{ removed_at: Date | null }>('SELECT * FROM installs ORDER BY app_id, user_id');
    expect(after.filter(({ removed_at }) => !removed_at)).toEqual(before.filter(({ removed_at }) => !removed_at));
  });

  it('is not set back by what comes late', async () => {
    const { app_id } = await createRegisteredApp(platform);
    const late = await registry.install(user.id, app_id);
    await registry.uninstall(user.id, app_id);
    await copyChanges();
    await copyChanges();
    const states = platform.gateway.service.app.get(InstallFeedService);
    jest.spyOn(registry, 'listInstallChanges').mockResolvedValueOnce({
      changes: [{ ...late, installed: true, removed_at: null }],
      next_after: 0,
      has_more: false,
    });
    await states.copyChanges();
    expect(await copies(app_id)).toMatchObject([{ installed: false }]);
    expect(await countOf(app_id)).toBe(0);
  });

  it('passes over users and apps that are not here, and keeps up through many changes', async () => {
    const { app_id } = await createRegisteredApp(platform);
    await registry.createApp({ app_id: newAppId(), display_name: 'Elsewhere', status: 'active' });
    const users = await Promise.all(Array.from({ length: 3 }, () => platform.gateway.user()));
    await inRegistry(
      "INSERT INTO installs (user_id, app_id, live_app_id) SELECT 'usr_elsewhere_' || n, $1, $1 FROM generate_series(1, 1200) AS n",
      [app_id],
    );
    for (const { id } of users) await registry.install(id, app_id);
    await copyChanges();
    expect((await copies(app_id)).map(({ user_id }) => user_id)).toEqual(users.map(({ id }) => id).sort());
    expect(await countOf(app_id)).toBe(3);
  });
});

describe('a new user', () => {
  const provisioned = async (id: string) =>
    (await query('SELECT 1 FROM users WHERE id = $1 AND provisioned_at IS NOT NULL', [id])).length > 0;
  const created = async (role = 'user') => {
    const body = { email: platform.gateway.newEmail(), password: 'correct horse battery', role };
    const { body: made } = await platform.gateway.backend().post<{ id: string }>('/v1/users', body);
    await until(() => provisioned(made.id));
    return made.id;
  };
  const has = async (id: string) => (await installsOf(id)).map(({ app_id }) => app_id).sort();

  it('gets what belongs to the platform and what the role brings', async () => {
    const system = await createRegisteredApp(platform, { system: true });
    const suspended = await createRegisteredApp(platform, { system: true, status: 'suspended' });
    const ofRole = await createRegisteredApp(platform);
    const role = { name: 'bookkeeper', default_extensions: [ofRole.app_id, 'unknown'] };
    expect((await platform.gateway.backend().post('/v1/roles', role)).status).toBe(201);
    expect(await has(await created())).toEqual([system.app_id]);
    const id = await created('bookkeeper');
    expect(await has(id)).toEqual([ofRole.app_id, system.app_id].sort());
    expect(await copies(system.app_id)).toMatchObject([{ installed: true }, { installed: true }]);
    expect(await copies(suspended.app_id)).toEqual([]);
    await query("UPDATE apps SET status = 'suspended' WHERE system");
  });

  it('does not wait for a Registry that is away, and gets what is missing when it is back, like everybody', async () => {
    const { app_id } = await createRegisteredApp(platform, { system: true });
    const { app_id: unknown } = await createApp(platform.gateway, { system: true });
    await platform.wire.cut();
    const id = await created();
    expect(await copies(app_id)).toEqual([]);
    await platform.wire.restore();
    const inactive = await platform.gateway.user({ is_active: false });
    const platformApps = platform.gateway.service.app.get(PlatformAppsService);
    await until(() =>
      platformApps.installMissing().then(
        () => true,
        () => false,
      ),
    );
    const holders = (await copies(app_id)).map(({ user_id }) => user_id);
    expect(holders).toEqual(expect.arrayContaining([id, user.id]));
    expect(holders).not.toContain(inactive.id);
    expect(await has(id)).toEqual([app_id]);
    expect(await copies(unknown)).toEqual([]);
    await query("UPDATE apps SET status = 'suspended' WHERE system");
  });
});

describe('an install by an API key while the Registry is away', () => {
  it('is one note, and none any more once calls are refused', async () => {
    const apps = [await createRegisteredApp(platform), await createRegisteredApp(platform)].map(
      ({ app_id }) => app_id,
    ) as [string, string];
    const { body } = await client.post<{ key: string }>('/v1/keys', { name: 'installs', scopes: 'installs:write' });
    const key = platform.gateway.client().withToken(body.key);
    const noted = () =>
      query<{ app_id: string }>('SELECT app_id FROM install_narrowings WHERE user_id = $1', [user.id]);
    await platform.wire.cut();
    for (let at = 0; at < 4; at++)
      expect([(await install(apps[0], key)).status, (await uninstall(apps[0], key)).status]).toEqual([503, 503]);
    expect(await noted()).toEqual([{ app_id: apps[0] }]);
    const before = await query('SELECT changes FROM install_narrowings WHERE user_id = $1', [user.id]);
    for (const app of apps)
      expect([(await install(app, key)).status, (await uninstall(app, key)).status]).toEqual([503, 503]);
    expect(await query('SELECT changes FROM install_narrowings WHERE user_id = $1', [user.id])).toEqual(before);
    await platform.wire.restore();
    await until(async () => (await install(apps[1], key)).status === 200);
    expect(await noted()).toEqual([{ app_id: apps[0] }]);
  });
});

describe('an app that is deleted', () => {
  it('takes its installs along, says how many there were, and is copied no more', async () => {
    const { app_id } = await createRegisteredApp(platform);
    await install(app_id);
    await client.post('/v1/me/extensions/disable', { app_id });
    await install(app_id, platform.gateway.actingFor((await platform.gateway.user()).id));
    const gone = platform.gateway.actingFor((await platform.gateway.user()).id);
    await install(app_id, gone);
    await uninstall(app_id, gone);
    const request = { confirm_name: app_id, force: true };
    const { status, body } = await platform.gateway.backend().request('DELETE', `/v1/admin/apps/${app_id}`, request);
    expect({ status, body }).toMatchObject({ status: 200, body: { app_id, installs_purged: 2 } });
    expect(await copies(app_id)).toEqual([]);
    await copyChanges();
    expect(await copies(app_id)).toEqual([]);
    expect(await uninstall(app_id)).toMatchObject({ status: 404, body: { code: 'app.not_found' } });
  });
});

describe('a user who is erased', () => {
  it('has no apps any more, and counts nowhere', async () => {
    const { app_id } = await createRegisteredApp(platform);
    await install(app_id);
    await client.post('/v1/me/extensions/disable', { app_id });
    expect((await platform.gateway.backend().delete(`/v1/users/${user.id}?permanent=true`)).status).toBe(200);
    await until(async () => (await countOf(app_id)) === 0);
    expect(await registry.listInstalls(user.id)).toEqual([]);
    expect(await query('SELECT 1 FROM disabled_extensions WHERE user_id = $1', [user.id])).toEqual([]);
  });
});
