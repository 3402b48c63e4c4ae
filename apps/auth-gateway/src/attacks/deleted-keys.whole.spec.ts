import type {
  AppDetailResponse,
  CallResponse,
  KeyResponse,
  RunGrantExchangeResponse,
  RunGrantResponse,
  RunGrantsResponse,
} from '@platform/contracts';
import { newUuid } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import { DeployTest, documentOf, type TestDeveloper } from '../testing/deploy-test.js';
import { createRunGrant } from '../testing/run-grants.js';
import { FakeRunHost, SUCCESS } from '../testing/fake-run-host.js';

let host: FakeRunHost;
let test: DeployTest;
/** An administrator and developer of apps. */
let ada: TestDeveloper;
let asHost: TestClient;
beforeAll(async () => {
  host = await FakeRunHost.start();
  test = await DeployTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
  asHost = test.gateway.backend();
});
beforeEach(async () => {
  host.answer = () => SUCCESS;
  ada = await test.developer();
  await test.query("UPDATE users SET role = 'admin' WHERE id = $1", [ada.user.id]);
  ada.client = await test.gateway.signIn(ada.user);
});
afterAll(async () => {
  await test.stop();
  await host.stop();
});

interface Program extends TestDeveloper {
  keyId: string;
}

async function withKey(scopes: string): Promise<Program> {
  const { status, body } = await ada.client.post<KeyResponse>('/v1/keys', { name: 'deploys', scopes });
  expect(status).toBe(201);
  return { user: ada.user, client: test.gateway.client().withHeaders({ 'x-api-key': body.key }), keyId: body.id };
}
const GREEDY = ['automations:write', 'users:write'];
const greedy = (appId: string, version = '1.0.0') => {
  const { steps, ...document } = documentOf(appId, version);
  const nothing = [{ id: 'now', kind: 'transform', action: 'now', params: {} }];
  return {
    ...document,
    capabilities: GREEDY,
    steps: [
      ...steps,
      { id: 'nightly', kind: 'schedule', action: 'nightly', params: { cron: '0 3 * * *', steps: nothing } },
      { id: 'heard', kind: 'event', action: `${appId}.made`, params: { steps: nothing } },
      { id: 'hook', kind: 'webhook', action: 'hook', params: { steps: nothing } },
    ],
  };
};
async function deploy(as: TestDeveloper, appId: string, body: object): Promise<void> {
  expect(await test.deployAndWait(as, appId, body)).toMatchObject({ status: 'success' });
}
async function begin(
  appId: string,
  kind: string,
  handler: string,
  more: object = {},
): Promise<RunGrantResponse | null> {
  const [version] = await test.query<object>(
    `SELECT v.app_id, v.version, encode(v.sha256, 'hex') AS sha256
     FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version WHERE a.app_id = $1`,
    [appId],
  );
  const { status, body } = await asHost.post<RunGrantsResponse>('/v1/internal/run-grants', {
    runs: [{ ...version, kind, handler, ...more }],
  });
  expect([status, body.grants.length]).toEqual([200, 1]);
  return body.grants[0] ?? null;
}
/** Permissions of the app's schedule for its developer; undefined if there are none. */
async function asDeveloper(appId: string): Promise<RunGrantExchangeResponse['grants'][number] | undefined> {
  const given = await begin(appId, 'schedule', 'nightly');
  if (!given) return undefined;
  const { body } = await asHost.post<RunGrantExchangeResponse>('/v1/internal/run-grants/exchange', {
    grant: given.grant,
    user_ids: [ada.user.id],
  });
  return body.grants[0];
}
const make = { function: 'create_automation', params: { prompt: 'every day at 09:00: message "still here"' } };
const call = (appId: string, grant: string) =>
  asHost.post<CallResponse>(`/v1/internal/extensions/${appId}/call`, { grant, ...make });
const callInPerson = (appId: string) =>
  ada.client.post<CallResponse>(`/v1/extensions/${appId}/call`, {
    user_id: ada.user.id,
    function: 'greet',
    params: { name: 'Ada' },
  });
const publish = (appId: string, grant: string) =>
  asHost.post('/v1/internal/events', {
    grant,
    event_id: newUuid(),
    type: `${appId}.made`,
    data: {},
    timestamp: new Date().toISOString(),
  });
const shown = async (appId: string) => (await ada.client.get<AppDetailResponse>(`/v1/developer/apps/${appId}`)).body;
async function revisionOf(appId: string): Promise<number> {
  const [row] = await test.query<{ revision: string }>('SELECT revision FROM app_runtime_changes WHERE app_id = $1', [
    appId,
  ]);
  return Number(row?.revision);
}
const GONE = { status: 403, body: { code: 'run_grant.refused' } };

describe('what a key has deployed', () => {
  it.each([
    ['is deleted', ({ keyId }: Program) => ada.client.delete(`/v1/keys/${keyId}`)],
    [
      'has expired',
      ({ keyId }: Program) => test.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [keyId]),
    ],
    ['ends with a reset of the password', () => test.query('DELETE FROM api_keys WHERE user_id = $1', [ada.user.id])],
  ])('does nothing more once the key %s', async (_what, end) => {
    const key = await withKey('apps:*,automations:*,users:*');
    const appId = await test.app(ada);
    await deploy(key, appId, { ir_dict: greedy(appId) });
    const before = await asDeveloper(appId);
    expect(before?.scopes).toEqual(GREEDY);
    const grant = before?.grant ?? '';
    const hook = await begin(appId, 'webhook', 'hook');
    const event = newUuid();
    const sent = { event_id: event, type: `${appId}.made`, data: {}, timestamp: new Date().toISOString() };
    expect((await asHost.post('/v1/internal/events', { grant, ...sent })).status).toBe(204);
    expect(await begin(appId, 'event', `${appId}.made`, { event_id: event })).not.toBeNull();
    expect(hook).not.toBeNull();
    expect((await shown(appId)).stopped_reason).toBeNull();

    await end(key);

    expect(await call('automations', grant)).toMatchObject(GONE);
    expect(await publish(appId, grant)).toMatchObject(GONE);
    // An event that the gateway already has; a restarted host sends it again.
    expect((await asHost.post('/v1/internal/events', { grant, ...sent })).status).toBe(204);
    for (const [kind, handler] of [
      ['schedule', 'nightly'],
      ['webhook', 'hook'],
    ] as const)
      expect([kind, await begin(appId, kind, handler)]).toEqual([kind, null]);
    expect(await begin(appId, 'event', `${appId}.made`, { event_id: event })).toBeNull();
    expect(await callInPerson(appId)).toMatchObject({ status: 403, body: { code: 'extension.key_gone' } });
    expect((await shown(appId)).stopped_reason).toContain('deploy it again');

    // The developer deploys it again: with the next key, then in person.
    const next = await withKey('apps:*');
    await deploy(next, appId, { version: '1.0.0' });
    expect(await asDeveloper(appId)).toMatchObject({ scopes: [] });
    await deploy(ada, appId, { version: '1.0.0' });
    expect((await asDeveloper(appId))?.scopes).toEqual(GREEDY);
    expect((await shown(appId)).stopped_reason).toBeNull();
    expect(await call('automations', grant)).toMatchObject(GONE); // the grant is still limited by the key
  });

  it('is no longer run by the host, which hears of it, and of the next deploy', async () => {
    const key = await withKey('apps:*');
    const appId = await test.app(ada);
    await deploy(key, appId, { ir_dict: greedy(appId) });
    const served = await revisionOf(appId);
    const changes = async () =>
      (
        await asHost.get<{ items: { app_id: string; runtime: { is_suspended: boolean } }[] }>(
          `/v1/internal/app-runtimes?after=${served - 1}&limit=100`,
        )
      ).body.items.find(({ app_id }) => app_id === appId)?.runtime.is_suspended;
    expect(await changes()).toBe(false);
    await ada.client.delete(`/v1/keys/${key.keyId}`);
    expect(await revisionOf(appId)).toBeGreaterThan(served);
    expect(await changes()).toBe(true);
    await deploy(await withKey('apps:*'), appId, { version: '1.0.0' });
    expect(await changes()).toBe(false);
  });

  it('does nothing more when any of several keys that led to it is gone', async () => {
    const [first, second] = [
      await withKey('apps:*,automations:*'),
      await withKey('apps:*,automations:*,developer:call'),
    ];
    const appId = await test.app(ada);
    await deploy(ada, appId, { ir_dict: greedy(appId) });
    const both = { id: first.keyId, others: [second.keyId], scopes: ['apps:*', 'automations:*'] };
    const run = { userId: ada.user.id, scopes: ['automations:write'], narrowing: both.scopes, key: both };
    const grant = await createRunGrant(test.gateway.service, appId, run);
    expect((await call('automations', grant)).body).toMatchObject({ error: null });
    expect((await publish(appId, grant)).status).toBe(204);
    await ada.client.delete(`/v1/keys/${second.keyId}`);
    expect(await call('automations', grant)).toMatchObject(GONE);
    expect(await publish(appId, grant)).toMatchObject(GONE);
    expect((await asDeveloper(appId))?.scopes).toEqual(GREEDY); // deployed in person
  });
});

describe('what is taken out of the marketplace', () => {
  /** An app that its developer has deployed in person. */
  async function published(): Promise<string> {
    const appId = await test.app(ada);
    await deploy(ada, appId, { ir_dict: greedy(appId) });
    await test.query("UPDATE apps SET status = 'active', published_at = now() WHERE app_id = $1", [appId]);
    expect(await asDeveloper(appId)).toBeUndefined(); // the developer has not installed it
    return appId;
  }
  const post = async (as: TestClient, path: string, body: object = {}) => (await as.post(path, body)).status;

  it('by a narrow key acts for its developer with no more than the key', async () => {
    const appId = await published();
    const program = await withKey('apps:*,users:*');
    const suspended = await post(program.client, `/v1/developer/apps/${appId}/suspend`);
    expect([suspended, await post(program.client, `/v1/developer/apps/${appId}/submit`)]).toEqual([200, 200]);
    expect((await asDeveloper(appId))?.scopes).toEqual(['users:write']);
    await ada.client.delete(`/v1/keys/${program.keyId}`);
    expect(await asDeveloper(appId)).toBeUndefined();
    // A deploy in person removes the limit, also with the same document.
    expect(await test.deployIr(ada, appId, greedy(appId))).toMatchObject({ status: 'success' });
    expect((await asDeveloper(appId))?.scopes).toEqual(GREEDY);
  });

  it('by suspend_app of a narrow key, and by the status that an administrator’s key sets of their own app, no further', async () => {
    const [first, second] = [await published(), await published()];
    const program = await withKey('apps:*,developer:call');
    const call = { user_id: ada.user.id, function: 'suspend_app', params: { app_id: first } };
    expect((await program.client.post<CallResponse>('/v1/extensions/developer/call', call)).body).toMatchObject({
      error: null,
    });
    expect(await post(program.client, `/v1/developer/apps/${first}/submit`)).toBe(200);
    expect((await asDeveloper(first))?.scopes).toEqual([]);
    const whole = await withKey('*');
    expect(await post(whole.client, `/v1/admin/apps/${second}/status`, { status: 'draft' })).toBe(200);
    expect((await asDeveloper(second))?.scopes).toEqual(GREEDY);
    await ada.client.delete(`/v1/keys/${whole.keyId}`);
    expect(await asDeveloper(second)).toBeUndefined();
  });

  it('by a narrow key while a deploy in person is under way, no further either', async () => {
    const appId = await published();
    const program = await withKey('apps:*,users:*');
    const { deploy_id: underWay } = await test.withoutRegistry(async () => {
      const asked = await test.deploy(ada, appId, { ir_dict: greedy(appId, '1.1.0') });
      const suspended = await post(program.client, `/v1/developer/apps/${appId}/suspend`);
      expect([suspended, await post(program.client, `/v1/developer/apps/${appId}/submit`)]).toEqual([200, 200]);
      return asked;
    });
    expect(await test.waitForDeploy(ada, appId, underWay)).toMatchObject({ status: 'success', version: '1.1.0' });
    expect((await asDeveloper(appId))?.scopes).toEqual(['users:write']);
    await ada.client.delete(`/v1/keys/${program.keyId}`);
    expect(await asDeveloper(appId)).toBeUndefined();
    await deploy(ada, appId, { version: '1.1.0' });
    expect((await asDeveloper(appId))?.scopes).toEqual(GREEDY);
  });

  it('by a narrow key at the moment at which a deploy in person ends, no further, however they meet', async () => {
    const program = await withKey('apps:*');
    for (let at = 0; at < 4; at++) {
      const appId = await published();
      const { deploy_id: underWay } = await test.deploy(ada, appId, { ir_dict: greedy(appId, '1.1.0') });
      if (at % 2)
        await until(
          async () =>
            (await test.query('SELECT FROM deploys WHERE deploy_id = $1 AND held_at IS NOT NULL', [underWay])).length >
            0,
        );
      expect(await post(program.client, `/v1/developer/apps/${appId}/suspend`)).toBe(200);
      expect(await test.waitForDeploy(ada, appId, underWay)).toMatchObject({ status: 'success' });
      expect(await post(program.client, `/v1/developer/apps/${appId}/submit`)).toBe(200);
      expect((await asDeveloper(appId))?.scopes).toEqual([]);
    }
  });

  it('by a narrow key and deployed in person afterwards is its developer’s, also while that is under way', async () => {
    const appId = await published();
    const program = await withKey('apps:*');
    expect(await post(program.client, `/v1/developer/apps/${appId}/suspend`)).toBe(200);
    const { deploy_id: underWay } = await test.withoutRegistry(() =>
      test.deploy(ada, appId, { ir_dict: greedy(appId, '1.1.0') }),
    );
    expect(await post(program.client, `/v1/developer/apps/${appId}/submit`)).toBe(200);
    expect(await test.waitForDeploy(ada, appId, underWay)).toMatchObject({ status: 'success' });
    expect((await asDeveloper(appId))?.scopes).toEqual(GREEDY);
  });

  it('by its developer in person acts as they may', async () => {
    const appId = await published();
    const suspended = await post(ada.client, `/v1/developer/apps/${appId}/suspend`);
    expect([suspended, await post(ada.client, `/v1/developer/apps/${appId}/submit`)]).toEqual([200, 200]);
    expect((await asDeveloper(appId))?.scopes).toEqual(GREEDY);
  });

  it('by the platform runs nothing until the platform decides', async () => {
    const appId = await published();
    const admin = `/v1/admin/apps/${appId}`;
    const runs = async () =>
      [await begin(appId, 'schedule', 'nightly'), await begin(appId, 'webhook', 'hook')].map((given) => given !== null);
    const resubmit = () => post(ada.client, `/v1/developer/apps/${appId}/submit`);
    expect(await runs()).toEqual([true, true]);
    // The result is the same for each order of suspensions.
    expect(await post(ada.client, `/v1/developer/apps/${appId}/suspend`)).toBe(200);
    expect(await post(asHost, `${admin}/status`, { status: 'suspended' })).toBe(200);
    expect([await resubmit(), await runs()]).toEqual([200, [false, false]]);
    expect(await post(ada.client, `/v1/developer/apps/${appId}/suspend`)).toBe(200);
    expect([await resubmit(), await runs()]).toEqual([200, [false, false]]);
    await deploy(ada, appId, { version: '1.0.0' });
    expect(await runs()).toEqual([false, false]);
    expect(await callInPerson(appId)).toMatchObject({ status: 403, body: { code: 'extension.suspended' } });
    expect((await shown(appId)).stopped_reason).toContain('operator of the platform');
    // After a rejection it is a draft and nothing runs; after another submission and approval it
    // runs.
    expect(await post(asHost, `${admin}/reject`, { reason: 'It is no good.' })).toBe(200);
    expect(await runs()).toEqual([false, false]);
    expect(await resubmit()).toBe(200);
    expect([await post(asHost, `${admin}/approve`), await runs()]).toEqual([200, [true, true]]);
    expect(await post(asHost, `${admin}/status`, { status: 'suspended' })).toBe(200);
    expect([await post(asHost, `${admin}/status`, { status: 'draft' }), await runs()]).toEqual([200, [true, true]]);
  });
});

describe('which deploy narrows a version', () => {
  const narrowingOf = async (appId: string) =>
    (
      await test.query<{ narrowing: { scopes: string[] } | null }>(
        'SELECT narrowing FROM app_versions WHERE app_id = $1',
        [appId],
      )
    )[0]?.narrowing;

  it('is the one that has it served, also by a worker that knows nothing of narrowings', async () => {
    const appId = await test.app(ada);
    await deploy(ada, appId, { ir_dict: greedy(appId) });
    expect(await narrowingOf(appId)).toBeNull();
    const insert = `INSERT INTO deploys (deploy_id, app_id, number, version, status, requested_by, narrowing)
      VALUES ($1, $2, 90, '1.0.0', 'syncing', $3, $4)`;
    await test.query(insert, [newUuid(), appId, ada.user.id, JSON.stringify({ scopes: ['apps:write'], key: null })]);
    await test.query("UPDATE deploys SET status = 'success', finished_at = now() WHERE app_id = $1 AND number = 90", [
      appId,
    ]);
    expect(await narrowingOf(appId)).toEqual({ scopes: ['apps:write'], key: null });
  });

  it('is as narrow as whoever gave it its content, though the deploy was asked for before', async () => {
    const appId = await test.app(ada);
    const program = await withKey('apps:*');
    await test.withoutRegistry(async () => {
      const path = `/v1/developer/apps/${appId}/deploys`;
      expect(await ada.client.post(path, { version: '1.0.0' })).toMatchObject({ status: 201 });
      expect(await program.client.post(path, { ir_dict: greedy(appId) })).toMatchObject({ status: 201 });
      expect(await narrowingOf(appId)).toMatchObject({ scopes: ['apps:*'] });
      const deploys = await test.query<object>('SELECT narrowing FROM deploys WHERE app_id = $1 ORDER BY number', [
        appId,
      ]);
      expect(deploys).toMatchObject([{ narrowing: { scopes: ['apps:*'] } }, { narrowing: { scopes: ['apps:*'] } }]);
    });
  });
});
