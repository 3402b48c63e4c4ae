import type { InstalledExtension, UserExtensionsResponse } from '@platform/contracts';
import { until, type TestClient } from '@platform/testing';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import { createApp, newAppId, tool } from '../../testing/apps.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { createTenant } from '../../testing/tenants.js';

let platform: RegistryTest;
let registry: RegistryClient;
let admin: TestClient;
let user: TestUser;
let client: TestClient;
beforeAll(async () => {
  platform = await RegistryTest.start();
  registry = platform.gateway.service.app.get(RegistryClient);
  admin = await platform.gateway.signIn(await platform.gateway.user({ role: 'admin' }));
});
beforeEach(async () => {
  user = await platform.gateway.user();
  client = await platform.gateway.signIn(user);
});
afterAll(() => platform.stop());

const query = <Row>(sql: string, values: unknown[] = []) => platform.gateway.service.query<Row>(sql, values);
const developer = async ({ id }: TestUser): Promise<string> => {
  await query("INSERT INTO developers (user_id, display_name) VALUES ($1, 'Ada')", [id]);
  return id;
};
const install = async (appId: string, as = client) => {
  expect((await as.post(`/v1/marketplace/apps/${appId}/install`, {})).status).toBe(200);
};
/** Without the system apps. */
const besidesSystem = <Extension extends { app_id: string }>(extensions: Extension[]) =>
  extensions.filter(({ app_id }) => !['developer', 'automations', 'billing'].includes(app_id));
const mine = async (as = client) => besidesSystem((await as.get<InstalledExtension[]>('/v1/me/extensions')).body);
const of = (userId: string, as = client) => as.get<UserExtensionsResponse>(`/v1/users/${userId}/extensions`);
const disable = (app_id: string, as = client, path = '/v1/me') => as.post(`${path}/extensions/disable`, { app_id });
const enable = (app_id: string, as = client, path = '/v1/me') => as.delete(`${path}/extensions/disable/${app_id}`);
const isOff = async (appId: string) => (await mine()).find(({ app_id }) => app_id === appId)?.is_disabled;
const history = (userId: string) =>
  query<{ action: string; actor_type: string; metadata: object }>(
    "SELECT action, actor_type, metadata FROM gateway_audit.audit_entries WHERE target_id = $1 AND action LIKE 'extension.%' ORDER BY id",
    [userId],
  );

describe('what a user has', () => {
  it('is listed with the functions of the version that runs', async () => {
    const params_schema = { type: 'object', properties: { month: { type: 'string' } }, required: ['month'] };
    const { app_id } = await createRegisteredApp(platform, {
      display_name: 'Invoices',
      short_description: 'Writes invoices',
      tools: [tool('list_invoices', { params_schema }), tool('delete_invoice', { action_type: 'destructive' })],
    });
    expect(await mine()).toEqual([]);
    await install(app_id);
    expect(await mine()).toEqual([
      {
        app_id,
        name: 'Invoices',
        description: 'Writes invoices',
        functions: [
          { name: 'list_invoices', description: 'Does list_invoices.', action_type: 'read', params_schema, price: 0 },
          expect.objectContaining({ name: 'delete_invoice', action_type: 'destructive' }),
        ],
        monthly_price: null,
        price_version: null,
        agreed_price_version: null,
        version: '1.0.0',
        requested_scopes: [],
        granted_scopes: [],
        missing_scopes: [],
        is_installed: true,
        is_disabled: false,
        is_install_key_gone: false,
        blocked_by: null,
      },
    ]);
    expect((await platform.gateway.client().get('/v1/me/extensions')).status).toBe(401);
    expect(await mine(platform.gateway.actingFor(user.id))).toHaveLength(1);
  });

  it('says what a call costs the user, or a month', async () => {
    const perCall = await createRegisteredApp(platform, {
      tools: [tool('make'), tool('look')],
      pricing_model: 'per_action',
      pricing_config: { tool_prices: { make: 20 } },
    });
    const monthly = await createRegisteredApp(platform, {
      pricing_model: 'subscription',
      pricing_config: { monthly_price: 500 },
    });
    await install(perCall.app_id);
    await install(monthly.app_id);
    expect(await mine()).toMatchObject([
      {
        functions: [
          { name: 'make', price: 20 },
          { name: 'look', price: 0 },
        ],
        monthly_price: null,
      },
      { functions: [{ price: 0 }], monthly_price: 500 },
    ]);
    // Apps are free for their developer.
    await query('UPDATE apps SET developer_id = $2 WHERE app_id = ANY ($1)', [
      [perCall.app_id, monthly.app_id],
      await developer(user),
    ]);
    expect(await mine()).toMatchObject([
      { functions: [{ name: 'make', price: 0 }, { price: 0 }], monthly_price: null },
      { functions: [{ price: 0 }], monthly_price: null },
    ]);
  });

  it('is what the Registry says, in the order of installing, and nothing of others', async () => {
    const apps = [];
    for (let at = 0; at < 3; at++) apps.push((await createRegisteredApp(platform)).app_id);
    const [first, second, third] = apps as [string, string, string];
    await install(third);
    await install(first);
    await registry.install(user.id, second); // only in the Registry; the gateway does not know yet
    const ids = async () => (await mine()).map(({ app_id }) => app_id);
    expect(await ids()).toEqual([third, first, second]);
    expect(await query('SELECT 1 FROM installs WHERE user_id = $1 AND app_id = $2', [user.id, second])).toHaveLength(1);
    await registry.uninstall(user.id, third);
    expect(await ids()).toEqual([first, second]);
    expect(await mine(admin)).toEqual([]);
  });

  it('comes from the copy while the Registry is away', async () => {
    const { app_id } = await createRegisteredApp(platform);
    await install(app_id);
    await platform.wire.cut();
    expect((await mine()).map((extension) => extension.app_id)).toEqual([app_id]);
    expect(besidesSystem((await of(user.id)).body.extensions).map((extension) => extension.app_id)).toEqual([app_id]);
    expect((await disable(app_id)).status).toBe(200);
    expect(await isOff(app_id)).toBe(true);
    await platform.wire.restore();
    await until(() => registry.getHealth().catch(() => null));
  });

  it('that is switched off and on is told to those who follow, each change once', async () => {
    const { app_id } = await createRegisteredApp(platform);
    await install(app_id);
    for (let again = 0; again < 2; again++) await disable(app_id);
    for (let again = 0; again < 2; again++) await enable(app_id);
    expect(
      await query(
        "SELECT type, payload FROM platform_events WHERE user_id = $1 AND type ~ 'abled$' ORDER BY created_at",
        [user.id],
      ),
    ).toEqual(['marketplace.app_disabled', 'marketplace.app_enabled'].map((type) => ({ type, payload: { app_id } })));
  });

  it('has no functions while it is out of service, and what is the platform’s own before all else', async () => {
    const { app_id } = await createRegisteredApp(platform);
    await install(app_id);
    const system = await createApp(platform.gateway, { system: true });
    expect((await mine()).map((extension) => [extension.app_id, extension.functions.length])).toEqual([
      [system.app_id, 1],
      [app_id, 1],
    ]);
    await query("UPDATE apps SET status = 'suspended' WHERE app_id = ANY ($1)", [[app_id, system.app_id]]);
    expect(await mine()).toMatchObject([{ app_id, functions: [], is_installed: true, blocked_by: 'suspended' }]);
  });
});

describe('switching off', () => {
  it('lasts until it is switched on, twice changes nothing, and removing forgets it', async () => {
    const { app_id } = await createRegisteredApp(platform);
    await install(app_id);
    for (let time = 0; time < 2; time++) {
      expect(await disable(app_id)).toMatchObject({ status: 200, body: { app_id, is_disabled: true } });
      expect(await isOff(app_id)).toBe(true);
    }
    for (let time = 0; time < 2; time++) {
      expect(await enable(app_id)).toMatchObject({ status: 200, body: { app_id, is_disabled: false } });
      expect(await isOff(app_id)).toBe(false);
    }
    await disable(app_id);
    await client.delete(`/v1/marketplace/apps/${app_id}/install`);
    await install(app_id);
    expect(await isOff(app_id)).toBe(false);
    expect(await history(user.id)).toEqual([]);
  });

  it('is for what one has, which the copy may not know yet, and not for the platform’s own', async () => {
    const { app_id } = await createRegisteredApp(platform);
    const missing = { status: 404, body: { code: 'extension.not_installed' } };
    for (const id of [app_id, newAppId()]) expect(await disable(id)).toMatchObject(missing);
    expect(await enable(newAppId())).toMatchObject(missing);
    await registry.install(user.id, app_id);
    expect((await disable(app_id)).status).toBe(200);
    const system = await createApp(platform.gateway, { system: true });
    for (const answer of [await disable(system.app_id), await enable(system.app_id)]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'app.system' } });
    }
    await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [system.app_id]);
    for (const id of ['', 'a/b', 'x'.repeat(65), null, 1]) expect((await disable(id as string)).status).toBe(422);
  });

  it('and removing at once leave nothing switched off behind', async () => {
    const { app_id } = await createRegisteredApp(platform);
    for (let round = 0; round < 5; round++) {
      await install(app_id);
      const [off, removed] = await Promise.all([
        disable(app_id),
        client.delete(`/v1/marketplace/apps/${app_id}/install`),
      ]);
      expect([200, 404]).toContain(off.status);
      expect(removed.status).toBe(200);
      expect(await query('SELECT 1 FROM disabled_extensions WHERE user_id = $1', [user.id])).toEqual([]);
    }
  });
});

describe('the extensions of a user', () => {
  it('are shown to themselves, to an administrator of their tenant and to trusted backends, with what they are to the user', async () => {
    const { app_id } = await createRegisteredApp(platform, { display_name: 'Invoices', category: 'finance' });
    const system = await createApp(platform.gateway, { system: true, display_name: 'Notes', category: 'productivity' });
    await install(app_id);
    await disable(app_id);
    await admin.put(`/v1/extensions/${app_id}/access`, { mode: 'public', denied_users: [user.id] });
    const expected = [
      {
        app_id: system.app_id,
        name: 'Notes',
        category: 'productivity',
        has_access: true,
        enabled: true,
        source: 'auto_system',
        system: true,
        blocked_by: null,
      },
      {
        app_id,
        name: 'Invoices',
        category: 'finance',
        has_access: false,
        enabled: false,
        source: 'user',
        system: false,
        blocked_by: 'disabled',
      },
    ];
    for (const as of [client, admin, platform.gateway.backend(), platform.gateway.actingFor(user.id)]) {
      const { status, body } = await of(user.id, as);
      expect([status, besidesSystem(body.extensions)]).toEqual([200, expected]);
    }
    await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [system.app_id]);
  });

  it('are switched off and on by the same, and what others do is written down', async () => {
    const { app_id } = await createRegisteredApp(platform);
    await install(app_id);
    const path = `/v1/users/${user.id}`;
    expect(await disable(app_id, admin, path)).toMatchObject({ status: 200, body: { app_id, disabled: true } });
    await disable(app_id, admin, path);
    expect(await enable(app_id, platform.gateway.backend(), path)).toMatchObject({
      status: 200,
      body: { app_id, disabled: false },
    });
    expect((await disable(app_id, client, path)).status).toBe(200);
    expect((await enable(app_id, client, path)).status).toBe(200);
    expect(await history(user.id)).toEqual([
      { action: 'extension.disabled', actor_type: 'user', metadata: { app_id } },
      { action: 'extension.enabled', actor_type: 'service', metadata: { app_id } },
    ]);
  });

  it('are nobody else’s business, in another tenant not even an administrator’s', async () => {
    const { app_id } = await createRegisteredApp(platform);
    await install(app_id);
    const { id: tenant_id } = await createTenant(platform.gateway.backend());
    const foreignAdmin = await platform.gateway.user({ tenant_id, role: 'admin' });
    const other = await platform.gateway.user();
    const { body: key } = await admin.post<{ key: string }>('/v1/keys', {
      name: 'one purpose',
      scopes: 'users:read,installs:*',
    });
    const strangers = [
      await platform.gateway.signIn(foreignAdmin),
      await platform.gateway.signIn(other),
      platform.gateway.actingFor(foreignAdmin.id),
      platform.gateway.actingFor(other.id),
      platform.gateway.client().withToken(key.key),
    ];
    const missing = { status: 404, body: { code: 'user.not_found' } };
    for (const stranger of strangers) {
      const path = `/v1/users/${user.id}`;
      for (const answer of [
        await of(user.id, stranger),
        await disable(app_id, stranger, path),
        await enable(app_id, stranger, path),
      ]) {
        expect(answer).toMatchObject(missing);
      }
    }
    for (const as of [admin, platform.gateway.backend()]) expect(await of('usr_unknown', as)).toMatchObject(missing);
    expect((await of(user.id, platform.gateway.client())).status).toBe(401);
    expect(await isOff(app_id)).toBe(false);
  });
});
