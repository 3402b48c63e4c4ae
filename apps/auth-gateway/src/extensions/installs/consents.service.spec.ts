import type {
  InstalledExtension,
  InstallResult,
  KeyResponse,
  MarketplaceAppDetail,
  NotificationsResponse,
} from '@platform/contracts';
import { ServiceUnavailable } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import { RunEligibilityService } from '../run-grants/run-eligibility.service.js';
import { InstallFeedService } from './install-feed.service.js';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import { setPrices } from '../../testing/apps.js';
import { DeployTest, documentOf, type TestDeveloper } from '../../testing/deploy-test.js';
import type { TestUser } from '../../testing/gateway-test.js';

let test: DeployTest;
let developer: TestDeveloper;
let user: TestUser;
let client: TestClient;
beforeAll(async () => {
  test = await DeployTest.start();
  developer = await test.developer();
});
beforeEach(async () => {
  user = await test.gateway.user({ role: 'admin' });
  client = await test.gateway.signIn(user);
});
afterAll(() => test.stop());

const asking = (appId: string, version: string, scopes: string[], capabilities: string[] = []) => {
  const document = documentOf(appId, version);
  for (const step of document.steps) Object.assign(step.params, { required_scopes: scopes });
  return { ...document, capabilities };
};
const deploy = async (appId: string, version: string, scopes: string[], capabilities: string[] = []) => {
  const answer = await test.deployAndApprove(developer, appId, {
    ir_dict: asking(appId, version, scopes, capabilities),
  });
  expect(answer).toMatchObject({ status: 'success' });
};

/** An active app that requests these scopes in version 1.0.0. */
async function appAsking(scopes: string[], capabilities: string[] = []): Promise<string> {
  const appId = await test.app(developer);
  await deploy(appId, '1.0.0', scopes, capabilities);
  await test.query("UPDATE apps SET status = 'active', published_at = now() WHERE app_id = $1", [appId]);
  await test.registry.put(`/v1/apps/${appId}`, { status: 'active' });
  return appId;
}

const install = (appId: string, body: object = {}, as = client) =>
  as.post<InstallResult>(`/v1/marketplace/apps/${appId}/install`, body);
const shown = async (appId: string, as = client) => {
  const { version, requested_scopes, granted_scopes, missing_scopes } = (
    await as.get<MarketplaceAppDetail>(`/v1/marketplace/apps/${appId}`)
  ).body;
  return { version, requested_scopes, granted_scopes, missing_scopes };
};
const mine = async (appId: string, as = client) =>
  (await as.get<InstalledExtension[]>('/v1/me/extensions')).body.find(({ app_id }) => app_id === appId);
const granted = async (appId: string, of = user) =>
  (await test.gateway.service.app.get(RunEligibilityService).findEligibility({ appId, userId: of.id })).user?.scopes;
/** Writes directly to the Registry, as a backend does. */
const configure = async (appId: string, config: object) => {
  expect((await test.registry.post(`/v1/users/${user.id}/extensions`, { app_id: appId, config })).status).toBeLessThan(
    300,
  );
  await test.gateway.service.app.get(InstallFeedService).copyChanges();
};
const told = async (as = client) => (await as.get<NotificationsResponse>('/v1/me/notifications')).body.items;

it('what an API key installs and removes is an event with no more than the key was given', async () => {
  const appId = await appAsking([]);
  const { body: key } = await client.post<KeyResponse>('/v1/keys', {
    name: 'less',
    scopes: 'installs:write,users:read',
  });
  const as = test.gateway.client().withHeaders({ 'x-api-key': key.key });
  const events = () =>
    test.query<{ type: string; scopes: string[] | null }>(
      "SELECT type, scopes FROM platform_events WHERE type LIKE 'marketplace.app%' AND payload ->> 'app_id' = $1 AND user_id = $2 ORDER BY insert_number",
      [appId, user.id],
    );
  expect((await install(appId, {}, as)).status).toBe(200);
  await until(async () => (await events()).length === 1);
  expect((await as.delete(`/v1/marketplace/apps/${appId}/install`)).status).toBe(200);
  await until(async () => (await events()).length === 2);
  await install(appId);
  await until(async () => (await events()).length === 3);
  const scopes = ['installs:write', 'users:read'];
  expect(await events()).toEqual([
    { type: 'marketplace.app_installed', scopes },
    { type: 'marketplace.app_uninstalled', scopes },
    { type: 'marketplace.app_installed', scopes: null },
  ]);
});

it('which it stays where the install becomes known in another way before the Registry has answered', async () => {
  const appId = await appAsking([]);
  const { body: key } = await client.post<KeyResponse>('/v1/keys', {
    name: 'less',
    scopes: 'installs:write,users:read',
  });
  const as = test.gateway.client().withHeaders({ 'x-api-key': key.key });
  const registry = test.gateway.service.app.get(RegistryClient);
  const feed = test.gateway.service.app.get(InstallFeedService);
  const spies = (['install', 'uninstall'] as const).map((change) => {
    const original = registry[change].bind(registry) as (userId: string, appId: string) => Promise<never>;
    return jest.spyOn(registry, change).mockImplementation(async (userId, appId) => {
      const answer = await original(userId, appId);
      await feed.copyChanges();
      return answer;
    });
  });
  try {
    expect((await install(appId, {}, as)).status).toBe(200);
    expect((await as.delete(`/v1/marketplace/apps/${appId}/install`)).status).toBe(200);
    expect((await install(appId)).status).toBe(200);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const events = () =>
    test.query<{ type: string; scopes: string[] | null; key: { id: string } | null }>(
      "SELECT type, scopes, key FROM platform_events WHERE type LIKE 'marketplace.app%' AND payload ->> 'app_id' = $1 AND user_id = $2 ORDER BY insert_number",
      [appId, user.id],
    );
  await until(async () => (await events()).length === 3);
  const scopes = ['installs:write', 'users:read'];
  expect(await events()).toEqual([
    { type: 'marketplace.app_installed', scopes, key: { id: key.id, scopes } },
    { type: 'marketplace.app_uninstalled', scopes, key: { id: key.id, scopes } },
    { type: 'marketplace.app_installed', scopes: null, key: null },
  ]);
  expect(await test.query('SELECT FROM install_narrowings')).toEqual([]);
});

it('which it stays where the Registry’s answer is lost, and ends where it refuses', async () => {
  const appId = await appAsking([]);
  const { body: key } = await client.post<KeyResponse>('/v1/keys', { name: 'less', scopes: 'installs:write' });
  const as = test.gateway.client().withHeaders({ 'x-api-key': key.key });
  const registry = test.gateway.service.app.get(RegistryClient);
  const original = registry.install.bind(registry);
  const spy = jest.spyOn(registry, 'install').mockImplementationOnce(async (...args) => {
    await original(...args);
    throw new ServiceUnavailable('registry', new Error('cut'));
  });
  expect((await install(appId, {}, as)).status).toBe(503);
  spy.mockRestore();
  await test.gateway.service.app.get(InstallFeedService).copyChanges();
  const [event] = await until(async () => {
    const found = await test.query<{ scopes: string[] }>(
      "SELECT scopes FROM platform_events WHERE type LIKE 'marketplace.app%' AND payload ->> 'app_id' = $1",
      [appId],
    );
    return found.length ? found : null;
  });
  expect(event).toEqual({ scopes: ['installs:write'] });
  await test.query('DELETE FROM install_narrowings');
  const gone = await appAsking([]);
  await test.registry.delete(`/v1/apps/${gone}`);
  expect((await install(gone, {}, as)).status).toBe(400);
  expect(await test.query('SELECT FROM install_narrowings')).toEqual([]);
});

describe('changes of one install by several API keys at once', () => {
  const noted = () =>
    test.query<{ narrowing: { scopes: string[]; key: { id: string; others?: string[] } } }>(
      'SELECT narrowing FROM install_narrowings WHERE user_id = $1',
      [user.id],
    );
  const keyOf = async (scopes: string) => {
    const { body } = await client.post<KeyResponse>('/v1/keys', { name: 'less', scopes });
    return { id: body.id, client: test.gateway.client().withHeaders({ 'x-api-key': body.key }) };
  };
  /**
   * The Registry makes each install; the test decides when it answers and if the answer is lost.
   */
  function held() {
    const registry = test.gateway.service.app.get(RegistryClient);
    const original = registry.install.bind(registry);
    const ends: ((isLost: boolean) => void)[] = [];
    const spy = jest.spyOn(registry, 'install').mockImplementation(async (...args) => {
      const answer = await original(...args);
      if (await new Promise<boolean>((end) => ends.push(end)))
        throw new ServiceUnavailable('registry', new Error('cut'));
      return answer;
    });
    return { ends, stop: () => spy.mockRestore() };
  }

  it('are one note, as narrow as all of them, of which each takes back its own alone', async () => {
    const appId = await appAsking([]);
    const one = await keyOf('installs:write,users:read');
    const other = await keyOf('installs:write,roles:read');
    const { ends, stop } = held();
    try {
      const first = install(appId, {}, one.client);
      await until(() => ends.length === 1);
      const second = install(appId, {}, other.client);
      await until(() => ends.length === 2);
      expect(await noted()).toMatchObject([
        { narrowing: { scopes: ['installs:write'], key: { id: one.id, others: [other.id] } } },
      ]);
      ends[0]?.(false);
      expect((await first).status).toBe(200);
      expect(await noted()).toMatchObject([
        { narrowing: { scopes: ['installs:write', 'roles:read'], key: { id: other.id } } },
      ]);
      ends[1]?.(true);
      expect((await second).status).toBe(503);
      expect(await noted()).toMatchObject([
        { narrowing: { scopes: ['installs:write', 'roles:read'], key: { id: other.id } } },
      ]);
    } finally {
      stop();
    }
    expect((await install(appId, {}, one.client)).status).toBe(200);
    expect(await noted()).toMatchObject([{ narrowing: { key: { id: other.id } } }]);
    await test.query(
      "UPDATE install_narrowings SET created_at = now() - interval '25 hours', changes = jsonb_set(changes, '{0,at}', to_jsonb(now() - interval '25 hours')) WHERE user_id = $1",
      [user.id],
    );
    expect((await install(appId, {}, one.client)).status).toBe(200);
    expect(await noted()).toEqual([]);
  });

  it('are one note, and none is forgotten, however many begin, end and are lost at the same time', async () => {
    const appId = await appAsking([]);
    const keys = await Promise.all(
      ['users:read', 'roles:read', 'agencies:read'].map((scope) => keyOf(`installs:write,${scope}`)),
    );
    const { ends, stop } = held();
    try {
      const answers = Array.from({ length: 24 }, (_value, at) => install(appId, {}, keys[at % 3]?.client));
      await until(() => ends.length === 24);
      expect(await noted()).toMatchObject([{ narrowing: { scopes: ['installs:write'] } }]);
      for (const end of ends) end(true);
      await Promise.all(answers);
    } finally {
      stop();
    }
    expect(await noted()).toMatchObject([{ narrowing: { scopes: ['installs:write'] } }]);
    expect(
      await test.query('SELECT jsonb_array_length(changes) AS kept FROM install_narrowings WHERE user_id = $1', [
        user.id,
      ]),
    ).toEqual([{ kept: 1 }]);
    await test.query('DELETE FROM install_narrowings');
    const all = await Promise.all(Array.from({ length: 24 }, (_value, at) => install(appId, {}, keys[at % 3]?.client)));
    expect(all.map(({ status }) => status)).toEqual(Array(24).fill(200));
    expect(await noted()).toEqual([]);
  });
});

describe('what an app was granted', () => {
  it('stays when the install is configured, and ends when it is installed anew', async () => {
    const appId = await appAsking(['users:read']);
    await install(appId);
    const [before] = await test.query<{ revision: string }>('SELECT revision FROM installs WHERE app_id = $1', [appId]);
    await configure(appId, { theme: 'dark' });
    const [after] = await test.query<{ revision: string }>('SELECT revision FROM installs WHERE app_id = $1', [appId]);
    expect(Number(after?.revision)).toBeGreaterThan(Number(before?.revision));
    expect(await granted(appId)).toEqual(['users:read']);
    // The gateway learns about the removal and the new install together.
    await test.registry.delete(`/v1/users/${user.id}/extensions/${appId}`);
    await configure(appId, {});
    expect(await granted(appId)).toEqual([]);
  });
});

describe('installing an app', () => {
  it('grants it what the served version asks for: of its functions, and of the document itself', async () => {
    const appId = await appAsking(
      ['users.read', 'invoices:*', '*'],
      ['agencies:read', 'store:write', 'Whatever it wants'],
    );
    const requested_scopes = ['agencies:read', 'invoices:*', 'users:read'];
    expect(await shown(appId)).toEqual({
      version: '1.0.0',
      requested_scopes,
      granted_scopes: null,
      missing_scopes: null,
    });
    expect(await shown(appId, test.gateway.client())).toMatchObject({
      requested_scopes,
      granted_scopes: null,
      missing_scopes: null,
    });
    expect(await granted(appId)).toBeUndefined();
    const consent = { version: '1.0.0', requested_scopes, granted_scopes: requested_scopes, missing_scopes: [] };
    expect(await install(appId)).toMatchObject({ status: 200, body: consent });
    expect(await shown(appId)).toEqual(consent);
    expect(await mine(appId)).toMatchObject(consent);
    expect(await granted(appId)).toEqual(requested_scopes);
    expect(await told()).toEqual([]);
  });

  it('never grants everything, whatever the functions say', async () => {
    const appId = await appAsking(['*']);
    expect((await install(appId)).body).toMatchObject({ requested_scopes: [], granted_scopes: [] });
    expect(await granted(appId)).toEqual([]);
    const grantAll = () => test.query("UPDATE installs SET granted_scopes = '{*}' WHERE app_id = $1", [appId]);
    await expect(grantAll()).rejects.toThrow('installs_granted_scopes_check');
  });

  it('agrees to what was shown and to nothing newer', async () => {
    const appId = await appAsking(['users:read', 'roles:read']);
    await deploy(appId, '1.1.0', ['users:read', 'users:write']);
    const otherVersion = 'The app now serves version 1.1.0. Read which scopes it asks for, then install it again.';
    const otherScopes =
      '"scopes" must be the scopes that you were shown: version 1.1.0 asks for users:read, users:write. Send exactly these, or leave "scopes" out.';
    for (const [body, detail] of [
      [{ version: '1.0.0' }, otherVersion],
      [{ version: '1.0.0', scopes: ['users:read', 'roles:read'] }, otherVersion],
      [{ scopes: ['users:read', 'roles:read'] }, otherScopes],
      [{ scopes: [] }, otherScopes],
      [{ version: '1.1.0', scopes: ['users:read'] }, otherScopes],
    ] as const) {
      expect(await install(appId, body)).toMatchObject({ status: 409, body: { code: 'install.changed', detail } });
    }
    expect(await mine(appId)).toBeUndefined();
    for (const body of [{ granted_scopes: ['*'] }, { scopes: '*' }, { version: 1 }, []]) {
      expect((await install(appId, body)).status).toBe(422);
    }
    expect((await install(appId, { version: '1.1.0', scopes: ['users.write', 'users:read'] })).status).toBe(200);
    expect(await granted(appId)).toEqual(['users:read', 'users:write']);
  });

  it('by an API key grants no more than the key holds, and takes nothing back', async () => {
    const appId = await appAsking(['users:read', 'users:write', 'roles:read']);
    const { body: key } = await client.post<{ key: string }>('/v1/keys', {
      name: 'narrow',
      scopes: 'installs:*,users:read',
    });
    const narrow = test.gateway.client().withToken(key.key);
    expect((await install(appId, {}, narrow)).body).toMatchObject({
      granted_scopes: ['users:read'],
      missing_scopes: ['roles:read', 'users:write'],
    });
    expect(await granted(appId)).toEqual(['users:read']);
    await install(appId);
    expect((await install(appId, {}, narrow)).body).toMatchObject({ missing_scopes: [] });
  });

  it('grants what the user does not hold either, to no avail until they do', async () => {
    const appId = await appAsking(['users:read', 'roles:read']);
    const holder = await test.gateway.user({ scopes: ['users:read'] });
    await install(appId, {}, await test.gateway.signIn(holder));
    expect(await granted(appId, holder)).toEqual(['users:read']);
    await test.query("UPDATE users SET scopes = '{users:*,roles:*}', denied_scopes = '{users:read}' WHERE id = $1", [
      holder.id,
    ]);
    expect(await granted(appId, holder)).toEqual(['roles:read']);
  });

  it('in another way than by the user grants nothing, and asks them', async () => {
    const appId = await appAsking(['users:read']);
    await test.gateway.service.app.get(RegistryClient).install(user.id, appId);
    expect(await mine(appId)).toMatchObject({ granted_scopes: [], missing_scopes: ['users:read'] });
    expect(await granted(appId)).toEqual([]);
    expect(await until(async () => (await told())[0])).toMatchObject({
      app_id: 'marketplace',
      message: expect.stringContaining('users:read'),
    });
    await install(appId);
    expect(await granted(appId)).toEqual(['users:read']);
  });

  it('of what a part of the platform asks for needs nobody’s consent', async () => {
    expect(await mine('developer')).toMatchObject({ missing_scopes: [] });
    expect(await granted('developer')).toEqual([]);
  });
});

describe('a new version', () => {
  it('that asks for more waits for the user, who is told once, and goes on with what was granted', async () => {
    const appId = await appAsking(['users:read']);
    await install(appId);
    await deploy(appId, '2.0.0', ['users:read', 'users:write']);
    const waiting = { version: '2.0.0', granted_scopes: ['users:read'], missing_scopes: ['users:write'] };
    expect(await shown(appId)).toMatchObject(waiting);
    expect(await mine(appId)).toMatchObject(waiting);
    expect(await granted(appId)).toEqual(['users:read']);
    const [notice] = await until(async () => ((await told()).length ? told() : null));
    expect(notice).toMatchObject({
      app_id: 'marketplace',
      subject: 'Notes asks for more permissions',
      message: expect.stringContaining('users:write'),
    });
    expect(notice?.message).not.toContain('users:read');
    await deploy(appId, '1.0.0', ['users:read']);
    await deploy(appId, '2.0.0', ['users:read', 'users:write']);
    expect((await install(appId, { version: '2.0.0' })).body).toMatchObject({ missing_scopes: [] });
    await deploy(appId, '2.0.1', ['users:write', 'users:read']);
    expect(await granted(appId)).toEqual(['users:read', 'users:write']);
    expect(await told()).toHaveLength(1);
    const log = await test.query<{ after_state: object }>(
      "SELECT after_state FROM gateway_audit.audit_entries WHERE action = 'app.scopes_granted' AND target_id = $1 ORDER BY id",
      [appId],
    );
    expect(log.map(({ after_state }) => after_state)).toEqual([
      { scopes: ['users:read'] },
      { scopes: ['users:read', 'users:write'] },
    ]);
  });

  it('that asks for more of an app that costs something by now says the price, to which nobody agrees by consenting', async () => {
    const appId = await appAsking(['users:read']);
    await install(appId);
    expect((await developer.client.post(`/v1/developer/apps/${appId}/suspend`, {})).status).toBe(200);
    await setPrices(test.gateway, appId, { perCall: { greet: 10_000_000 } });
    await test.query("UPDATE apps SET status = 'active' WHERE app_id = $1", [appId]);
    await test.registry.put(`/v1/apps/${appId}`, { status: 'active' });
    const scopes = ['users:read', 'users:write'];
    await deploy(appId, '2.0.0', scopes);
    const [notice] = await until(async () => ((await told()).length ? told() : null));
    expect(notice?.message).toContain(
      'It costs 10000000 credits per call of greet at present. You agreed to another price.',
    );
    expect(await mine(appId)).toMatchObject({ price_version: 1, agreed_price_version: null });
    expect((await install(appId, { version: '2.0.0', scopes })).body).toMatchObject({
      missing_scopes: [],
      price: { price_version: 1, tool_prices: { greet: 10_000_000 } },
      price_version: null,
    });
    const call = () =>
      client.post(`/v1/extensions/${appId}/call`, { user_id: user.id, function: 'greet', params: { name: 'Bob' } });
    expect(await call()).toMatchObject({ status: 409, body: { code: 'extension.price_not_agreed', price_version: 1 } });
    expect((await install(appId, { version: '2.0.0', scopes, price_version: 1 })).body).toMatchObject({
      price_version: 1,
    });
    expect((await call()).status).toBe(402);
  });

  it('that asks for less cuts at once, and one that asks for it again has it again', async () => {
    const appId = await appAsking(['users:read', 'users:write']);
    await install(appId);
    await deploy(appId, '1.1.0', ['users:read']);
    expect(await granted(appId)).toEqual(['users:read']);
    expect(await mine(appId)).toMatchObject({ granted_scopes: ['users:read'], missing_scopes: [] });
    await deploy(appId, '1.2.0', ['users:write']);
    expect(await granted(appId)).toEqual(['users:write']);
    await install(appId);
    await deploy(appId, '1.3.0', ['users:read', 'users:write']);
    expect(await granted(appId)).toEqual(['users:write']);
  });

  it('that asks for more than anybody reads is refused', async () => {
    const appId = await test.app(developer);
    const scopes = (from: number) => Array.from({ length: 50 }, (_value, at) => `many:n${from + at}`);
    const document = documentOf(appId, '1.0.0');
    const [first] = document.steps;
    const steps = [0, 1, 2, 3, 4].map((at) => ({
      ...first,
      id: `f${at}`,
      action: `f${at}`,
      params: { ...first?.params, required_scopes: scopes(at * 50) },
    }));
    const path = `/v1/developer/apps/${appId}/deploys`;
    expect(await developer.client.post(path, { ir_dict: { ...document, steps } })).toMatchObject({
      status: 422,
      body: { detail: [{ msg: 'A version can request at most 200 scopes' }] },
    });
  });
});

describe('what was granted', () => {
  it('ends with removing the app, also at the Registry, and does not come back with it', async () => {
    const appId = await appAsking(['users:read']);
    await install(appId);
    await client.delete(`/v1/marketplace/apps/${appId}/install`);
    expect(await granted(appId)).toBeUndefined();
    await install(appId);
    const registry = test.gateway.service.app.get(RegistryClient);
    await registry.uninstall(user.id, appId);
    await registry.install(user.id, appId);
    expect(await mine(appId)).toMatchObject({ granted_scopes: [], missing_scopes: ['users:read'] });
    expect(await granted(appId)).toEqual([]);
  });

  it('ends while the app is off, suspended or closed to the user, and with the user', async () => {
    const appId = await appAsking(['users:read']);
    await install(appId);
    const ended = async (end: string, mend: string, values: unknown[]) => {
      await test.query(end, values);
      expect(await granted(appId)).toBeUndefined();
      await test.query(mend, values);
      expect(await granted(appId)).toEqual(['users:read']);
    };
    await client.post('/v1/me/extensions/disable', { app_id: appId });
    expect(await granted(appId)).toBeUndefined();
    await client.delete(`/v1/me/extensions/disable/${appId}`);
    await ended(
      "UPDATE apps SET status = 'suspended' WHERE app_id = $1",
      "UPDATE apps SET status = 'active' WHERE app_id = $1",
      [appId],
    );
    await ended(
      "INSERT INTO access_policies (tenant_id, app_id, mode, denied_roles) VALUES ('default', $1, 'public', '{admin}')",
      'DELETE FROM access_policies WHERE app_id = $1',
      [appId],
    );
    await ended('UPDATE users SET is_active = false WHERE id = $1', 'UPDATE users SET is_active = true WHERE id = $1', [
      user.id,
    ]);
  });

  it('is told for many users of any tenants at once, of each only where they have it', async () => {
    const appId = await appAsking(['users:read']);
    const other = await test.gateway.user();
    await install(appId);
    const asked = [other.id, user.id, 'usr_nobody', 'bad\0id', user.id, developer.user.id].map((userId) => ({
      appId,
      userId,
    }));
    const found = (await test.gateway.service.app.get(RunEligibilityService).findEligibilities(asked)).map(
      (eligibility) => eligibility.user,
    );
    const ofUser = { userId: user.id, tenantId: 'default', role: 'admin', scopes: ['users:read'] };
    expect(found).toEqual([null, ofUser, null, null, ofUser, null]);
  });

  it('to one’s own draft is what it asks for, and to that of others nothing', async () => {
    const appId = await test.app(developer);
    await deploy(appId, '1.0.0', ['users:read']);
    const asked = [user.id, developer.user.id].map((userId) => ({ appId, userId }));
    const found = await test.gateway.service.app.get(RunEligibilityService).findEligibilities(asked);
    expect(found).toMatchObject([
      { refusal: 'app_unavailable', user: null },
      { refusal: null, user: { scopes: [] } },
    ]);
  });
});

it('is read from whatever a pipeline outside sent as a manifest', async () => {
  const [{ scopes }] = (await test.query<{ scopes: string[] }>(
    `SELECT scopes_requested_by('{"tools": [{"required_scopes": ["*", "*:*", "a:b", "A:b", "x", 7, "a.b", "c:*"]}, {}]}', NULL) AS scopes`,
  )) as [{ scopes: string[] }];
  expect(scopes).toEqual(['a:b', 'c:*']);
});
