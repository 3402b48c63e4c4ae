import type {
  CallResponse,
  InstalledExtension,
  InstallResult,
  KeyResponse,
  MarketplaceAppDetail,
  RunGrantExchangeResponse,
  RunGrantResponse,
  RunGrantsResponse,
} from '@platform/contracts';
import { newUuid, ServiceUnavailable } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import { InstallFeedService } from '../extensions/installs/install-feed.service.js';
import { RegistryClient } from '../kernel/peers/registry/registry.client.js';
import { DeployTest, documentOf, type TestDeveloper } from '../testing/deploy-test.js';
import { PASSWORD, type TestUser } from '../testing/gateway-test.js';
import { FakeRunHost, SUCCESS } from '../testing/fake-run-host.js';

let host: FakeRunHost;
let test: DeployTest;
let asHost: TestClient;
/** Developer of the apps. */
let eve: TestDeveloper;
/** An administrator with leaked keys. */
let ada: { user: TestUser; client: TestClient };
beforeAll(async () => {
  host = await FakeRunHost.start();
  test = await DeployTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
  asHost = test.gateway.backend();
  eve = await test.developer();
});
beforeEach(async () => {
  host.answer = () => SUCCESS;
  const user = await test.gateway.user({ role: 'admin' });
  ada = { user, client: await test.gateway.signIn(user) };
});
afterAll(async () => {
  await test.stop();
  await host.stop();
});

interface Key {
  id: string;
  client: TestClient;
  /** A client of the Registry with the key. */
  registry: TestClient;
}
async function keyFor(scopes: string): Promise<Key> {
  const { status, body } = await ada.client.post<KeyResponse>('/v1/keys', { name: 'leaked', scopes });
  expect(status).toBe(201);
  return {
    id: body.id,
    client: test.gateway.client().withHeaders({ 'x-api-key': body.key }),
    registry: test.registryWithKey(body.key),
  };
}
const deleteKey = async ({ id }: Key): Promise<void> => {
  expect((await ada.client.delete(`/v1/keys/${id}`)).status).toBe(200);
};

const asking = (appId: string, capabilities: string[], version: string) => {
  const { steps, ...document } = documentOf(appId, version);
  const nothing = [{ id: 'now', kind: 'transform', action: 'now', params: {} }];
  const nightly = { id: 'nightly', kind: 'schedule', action: 'nightly', params: { cron: '0 3 * * *', steps: nothing } };
  return { ...document, capabilities, steps: [...steps, nightly] };
};
const deploy = async (appId: string, capabilities: string[], version: string): Promise<void> => {
  expect(await test.deployAndApprove(eve, appId, { ir_dict: asking(appId, capabilities, version) })).toMatchObject({
    status: 'success',
  });
};
/** An app in the marketplace. */
async function appAsking(...capabilities: string[]): Promise<string> {
  const appId = await test.app(eve);
  await deploy(appId, capabilities, '1.0.0');
  await test.query("UPDATE apps SET status = 'active', published_at = now() WHERE app_id = $1", [appId]);
  await test.registry.put(`/v1/apps/${appId}`, { status: 'active' });
  return appId;
}

const path = (appId: string) => `/v1/marketplace/apps/${appId}/install`;
async function install(as: { client: TestClient }, appId: string): Promise<InstallResult> {
  const { status, body } = await as.client.post<InstallResult>(path(appId), {});
  expect(status).toBe(200);
  return body;
}

/** Grant of the app's schedule for Ada; null if she has given none. */
async function scheduled(appId: string): Promise<RunGrantResponse | null> {
  const [version] = await test.query<object>(
    `SELECT v.app_id, v.version, encode(v.sha256, 'hex') AS sha256
     FROM app_versions v JOIN apps a ON a.app_id = v.app_id AND a.served_version = v.version WHERE v.app_id = $1`,
    [appId],
  );
  const runs = [{ ...version, kind: 'schedule', handler: 'nightly' }];
  const given = (await asHost.post<RunGrantsResponse>('/v1/internal/run-grants', { runs })).body.grants[0];
  expect(given).toBeTruthy();
  const asked = { grant: given?.grant, user_ids: [ada.user.id] };
  return (
    (await asHost.post<RunGrantExchangeResponse>('/v1/internal/run-grants/exchange', asked)).body.grants[0] ?? null
  );
}
const scopesOf = async (appId: string) => (await scheduled(appId))?.scopes ?? null;

/** The install as Ada sees it. */
async function shown(appId: string) {
  const mine = (await ada.client.get<InstalledExtension[]>('/v1/me/extensions')).body.find(
    ({ app_id }) => app_id === appId,
  );
  const { body: listed } = await ada.client.get<MarketplaceAppDetail>(`/v1/marketplace/apps/${appId}`);
  const of = ({
    is_installed,
    is_install_key_gone,
    granted_scopes,
    missing_scopes,
  }: InstalledExtension | MarketplaceAppDetail) => {
    return { is_installed, is_install_key_gone, granted: granted_scopes, missing: missing_scopes };
  };
  const said = of(listed);
  expect(mine && of(mine)).toEqual(said);
  return said;
}

async function resetPassword(): Promise<void> {
  await test.gateway.client().post('/v1/auth/forgot-password', { email: ada.user.email });
  const token = await test.gateway.mailToken(ada.user.email);
  const answer = await test.gateway.client().post('/v1/auth/reset-password', { token, new_password: PASSWORD });
  expect(answer.status).toBe(200);
  ada.client = await test.gateway.signIn(ada.user);
}

describe('an app that an API key installed at the Registry itself', () => {
  const registered = async (registry: TestClient, appId: string): Promise<void> => {
    expect((await registry.post(`/v1/users/${ada.user.id}/extensions`, { app_id: appId })).status).toBe(201);
  };
  const feed = () => test.gateway.service.app.get(InstallFeedService).copyChanges();
  const call = (appId: string) =>
    ada.client.post<CallResponse>(`/v1/extensions/${appId}/call`, {
      user_id: ada.user.id,
      function: 'greet',
      params: { name: 'Ada' },
    });

  it.each<[string, (appId: string, key: Key) => Promise<unknown>]>([
    ['by the feed', feed],
    ['by the list of what its user has', () => ada.client.get('/v1/me/extensions')],
    ['by an install with the same key', (appId, key) => install(key, appId)],
    ['by the feed, and by an install with the same key', async (appId, key) => (await feed(), install(key, appId))],
  ])('does nothing more once the key is gone, where it became known %s', async (_what, become) => {
    const appId = await appAsking('users:write');
    const key = await keyFor('*');
    await registered(key.registry, appId);
    await become(appId, key);
    expect(await shown(appId)).toMatchObject({ is_install_key_gone: false });
    expect((await call(appId)).body).toMatchObject({ error: null });

    await deleteKey(key);

    expect(await shown(appId)).toMatchObject({ is_installed: true, is_install_key_gone: true, granted: [] });
    expect(await scheduled(appId)).toBeNull();
    expect(await call(appId)).toMatchObject({ status: 403, body: { code: 'extension.not_agreed' } });
    await install(ada, appId);
    expect(await scopesOf(appId)).toEqual(['users:write']);
  });

  it('does nothing either where it becomes known after the key is gone, or the key installed it anew', async () => {
    const [late, anew] = [await appAsking('users:write'), await appAsking('users:write')];
    const key = await keyFor('*');
    await install(ada, anew);
    expect((await key.registry.delete(`/v1/users/${ada.user.id}/extensions/${anew}`)).status).toBe(200);
    await registered(key.registry, anew);
    await registered(key.registry, late);
    await deleteKey(key);
    await feed();
    for (const appId of [late, anew]) expect(await scheduled(appId)).toBeNull();
  });

  it('goes on where a trusted backend installed it, or its user agreed', async () => {
    const [ofBackend, agreed] = [await appAsking('users:write'), await appAsking('users:write')];
    const key = await keyFor('*');
    await registered(test.registry, ofBackend);
    await registered(key.registry, agreed);
    await feed();
    await install(ada, agreed);
    await deleteKey(key);
    await feed();
    expect(await shown(ofBackend)).toMatchObject({ is_install_key_gone: false, granted: [], missing: ['users:write'] });
    expect(await scopesOf(ofBackend)).toEqual([]);
    expect((await call(ofBackend)).body).toMatchObject({ error: null });
    expect(await scopesOf(agreed)).toEqual(['users:write']);
  });
});

describe('an app that only an API key installed', () => {
  it.each<[string, (key: Key) => Promise<unknown>]>([
    ['is deleted', deleteKey],
    ['has expired', ({ id }) => test.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [id])],
    ['ends with a reset of the password', resetPassword],
  ])('does nothing more once the key %s, and asks for consent', async (_what, end) => {
    const appId = await appAsking('apps:write', 'automations:write');
    const key = await keyFor('*');
    expect(await install(key, appId)).toMatchObject({ granted_scopes: ['apps:write', 'automations:write'] });
    const grant = (await scheduled(appId))?.grant;
    expect(await shown(appId)).toMatchObject({ is_install_key_gone: false, missing: [] });
    const make = {
      grant,
      function: 'create_automation',
      params: { prompt: 'every day at 09:00: message "still here"' },
    };
    const asVictim = () => asHost.post<CallResponse>('/v1/internal/extensions/automations/call', make);
    expect((await asVictim()).body).toMatchObject({ error: null });

    await end(key);

    const refused = {
      status: 403,
      body: { code: 'run_grant.refused', detail: expect.stringContaining('has not agreed since') },
    };
    expect(await asVictim()).toMatchObject(refused);
    const sent = { grant, event_id: newUuid(), type: `${appId}.made`, data: {}, timestamp: new Date().toISOString() };
    expect(await asHost.post('/v1/internal/events', sent)).toMatchObject(refused);
    expect(await scheduled(appId)).toBeNull();
    const call = { user_id: ada.user.id, function: 'greet', params: { name: 'Ada' } };
    const inPerson = () => ada.client.post<CallResponse>(`/v1/extensions/${appId}/call`, call);
    expect(await inPerson()).toMatchObject({ status: 403, body: { code: 'extension.not_agreed' } });
    const waiting = {
      is_installed: true,
      is_install_key_gone: true,
      granted: [],
      missing: ['apps:write', 'automations:write'],
    };
    expect(await shown(appId)).toEqual(waiting);

    await install(ada, appId);
    expect(await shown(appId)).toEqual({
      is_installed: true,
      is_install_key_gone: false,
      granted: waiting.missing,
      missing: [],
    });
    expect(await scopesOf(appId)).toEqual(['apps:write', 'automations:write']);
    expect((await inPerson()).body).toMatchObject({ error: null });
  });

  it('does nothing more either where it asks for nothing', async () => {
    const appId = await appAsking();
    const key = await keyFor('installs:write');
    await install(key, appId);
    expect(await scopesOf(appId)).toEqual([]);
    await deleteKey(key);
    expect(await scheduled(appId)).toBeNull();
    expect(await shown(appId)).toEqual({ is_installed: true, is_install_key_gone: true, granted: [], missing: [] });
    await install(ada, appId);
    expect(await scopesOf(appId)).toEqual([]);
    expect(await shown(appId)).toMatchObject({ is_install_key_gone: false });
  });

  it('goes on once its user has agreed, whatever becomes of the key', async () => {
    const appId = await appAsking('users:write');
    const key = await keyFor('*');
    await install(key, appId);
    await install(ada, appId);
    await install(key, appId);
    await deleteKey(key);
    expect(await scopesOf(appId)).toEqual(['users:write']);
    expect(await test.query('SELECT granted_by, granted_in_person FROM installs WHERE app_id = $1', [appId])).toEqual([
      { granted_by: null, granted_in_person: null },
    ]);
  });

  it('ends with the key also where the key removed it and installed it anew', async () => {
    const appId = await appAsking('users:write');
    const key = await keyFor('*');
    await install(ada, appId);
    expect((await key.client.delete(path(appId))).status).toBe(200);
    await install(key, appId);
    expect(await scopesOf(appId)).toEqual(['users:write']);
    await deleteKey(key);
    expect(await scheduled(appId)).toBeNull();
    // After she removes and installs it in person, nothing of the key remains.
    await ada.client.delete(path(appId));
    expect(await test.query('SELECT granted_by FROM installs WHERE app_id = $1', [appId])).toEqual([
      { granted_by: null },
    ]);
    await install(ada, appId);
    expect(await scopesOf(appId)).toEqual(['users:write']);
  });

  it('stays with it when the install is configured', async () => {
    const appId = await appAsking('users:write');
    const key = await keyFor('*');
    await install(key, appId);
    await test.registry.post(`/v1/users/${ada.user.id}/extensions`, { app_id: appId, config: { theme: 'dark' } });
    await test.gateway.service.app.get(InstallFeedService).copyChanges();
    expect(await scopesOf(appId)).toEqual(['users:write']);
    await deleteKey(key);
    expect(await scheduled(appId)).toBeNull();
  });

  /**
   * Deletes the key after the Registry has made the install and before the gateway knows. `also`
   * runs at the same moment.
   */
  const installWhileKeyEnds = async (key: Key, appId: string, also: () => Promise<void>): Promise<number> => {
    const registry = test.gateway.service.app.get(RegistryClient);
    const original = registry.install.bind(registry);
    const spy = jest.spyOn(registry, 'install').mockImplementationOnce(async (...args) => {
      const answer = await original(...args);
      await deleteKey(key);
      await also();
      return answer;
    });
    try {
      return (await key.client.post(path(appId), {})).status;
    } finally {
      spy.mockRestore();
    }
  };

  it.each<[string, () => Promise<void>, number]>([
    ['', () => Promise.resolve(), 200],
    [
      ', and the gateway hears of it in another way',
      () => test.gateway.service.app.get(InstallFeedService).copyChanges(),
      200,
    ],
    [
      ', and the answer of the Registry is lost',
      () => Promise.reject(new ServiceUnavailable('registry', new Error('cut'))),
      503,
    ],
  ])('does nothing where the key ends while the Registry installs it%s', async (_what, also, status) => {
    const appId = await appAsking('users:write');
    const key = await keyFor('*');
    expect(await installWhileKeyEnds(key, appId, also)).toBe(status);
    await test.gateway.service.app.get(InstallFeedService).copyChanges();
    expect(await scheduled(appId)).toBeNull();
    expect(await shown(appId)).toMatchObject({ is_installed: true, is_install_key_gone: true, granted: [] });
  });
});

describe('what an API key granted an app', () => {
  it('ends with the key, and what was granted in person before goes on', async () => {
    const appId = await appAsking('users:read');
    await install(ada, appId);
    await deploy(appId, ['users:read', 'users:write', 'automations:write'], '2.0.0');
    const key = await keyFor('installs:*,users:*');
    expect(await install(key, appId)).toMatchObject({ granted_scopes: ['users:read', 'users:write'] });
    expect(await scopesOf(appId)).toEqual(['users:read', 'users:write']);
    await deleteKey(key);
    expect(await scopesOf(appId)).toEqual(['users:read']);
    const missing = ['automations:write', 'users:write'];
    expect(await shown(appId)).toEqual({
      is_installed: true,
      is_install_key_gone: false,
      granted: ['users:read'],
      missing,
    });
    await install(ada, appId);
    expect(await scopesOf(appId)).toEqual(['automations:write', 'users:read', 'users:write']);
  });

  it('falls back to nothing where the app came from elsewhere, without consent', async () => {
    const appId = await appAsking('users:write');
    await test.gateway.service.app.get(RegistryClient).install(ada.user.id, appId);
    await test.gateway.service.app.get(InstallFeedService).copyChanges();
    const key = await keyFor('*');
    await install(key, appId);
    expect(await scopesOf(appId)).toEqual(['users:write']);
    await deleteKey(key);
    expect(await scopesOf(appId)).toEqual([]);
  });

  it('of two keys ends with each, as far as neither could grant it alone', async () => {
    const asks = ['automations:write', 'users:write'];
    const [both, either] = [await appAsking(...asks), await appAsking(...asks)];
    const [users, rules] = [await keyFor('installs:write,users:*'), await keyFor('installs:write,automations:*')];
    await install(users, both);
    expect(await install(rules, both)).toMatchObject({ granted_scopes: asks });
    await install(rules, either);
    const whole = await keyFor('*');
    await install(whole, either);
    await install(rules, either); // adds nothing
    await deleteKey(rules);
    expect(await scheduled(both)).toBeNull();
    expect(await scopesOf(either)).toEqual(asks);
    expect(await install(users, both)).toMatchObject({ granted_scopes: ['users:write'] });
    expect(await scopesOf(both)).toEqual(['users:write']);
    await deleteKey(whole);
    expect(await scheduled(either)).toBeNull();
  });

  it('goes on when the next key installs it before the last one is deleted', async () => {
    const appId = await appAsking('users:write');
    const [last, next] = [await keyFor('installs:write,users:*'), await keyFor('installs:write,users:*')];
    await install(last, appId);
    await install(next, appId);
    await deleteKey(last);
    expect(await scopesOf(appId)).toEqual(['users:write']);
    await deleteKey(next);
    expect(await scheduled(appId)).toBeNull();
  });

  it('does not come back where a key that grants nothing installs it again', async () => {
    const appId = await appAsking('users:write');
    const key = await keyFor('*');
    await install(key, appId);
    await deleteKey(key);
    expect(await install(await keyFor('installs:write'), appId)).toMatchObject({
      granted_scopes: [],
      missing_scopes: ['users:write'],
    });
    expect(await scopesOf(appId)).toEqual([]);
  });

  it('is asked for again when the next version is served', async () => {
    const appId = await appAsking('users:write');
    const key = await keyFor('*');
    await install(key, appId);
    await deleteKey(key);
    await deploy(appId, ['users:write'], '1.0.1');
    const told = await until(async () => {
      const { body } = await ada.client.get<{ items: { message: string }[] }>('/v1/me/notifications');
      return body.items[0];
    });
    expect(told.message).toContain('users:write');
  });
});
