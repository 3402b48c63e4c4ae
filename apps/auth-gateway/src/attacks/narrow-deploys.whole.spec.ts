import type {
  CallResponse,
  KeyResponse,
  RunGrantExchangeResponse,
  RunGrantResponse,
  RunGrantsResponse,
} from '@platform/contracts';
import { newUuid } from '@platform/platform';
import { withJobs, type TestClient } from '@platform/testing';
import type { RunGrant } from '../extensions/run-grants/run-grant.js';
import { DeployTest, documentOf, type TestDeveloper } from '../testing/deploy-test.js';
import { createRunGrant } from '../testing/run-grants.js';
import { FakeRunHost, SUCCESS } from '../testing/fake-run-host.js';

let host: FakeRunHost;
let test: DeployTest;
/** An administrator and developer of apps. */
let ada: TestDeveloper;
/** Uses a key with permission to deploy and to read deploys. */
let program: TestDeveloper;
let asHost: TestClient;
/** Grant of the last run. */
let running: string;
beforeAll(async () => {
  host = await FakeRunHost.start();
  test = await DeployTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
  asHost = test.gateway.backend();
});
beforeEach(async () => {
  host.answer = ({ grant }) => {
    running = grant;
    return SUCCESS;
  };
  ada = await test.developer();
  await test.query("UPDATE users SET role = 'admin' WHERE id = $1", [ada.user.id]);
  ada.client = await test.gateway.signIn(ada.user);
  program = await withKey('apps:*');
});
afterAll(async () => {
  await test.stop();
  await host.stop();
});

async function withKey(scopes: string): Promise<TestDeveloper> {
  const { status, body } = await ada.client.post<KeyResponse>('/v1/keys', { name: 'deploys', scopes });
  expect(status).toBe(201);
  return { user: ada.user, client: test.gateway.client().withHeaders({ 'x-api-key': body.key }) };
}
const contentOf = (text: string) =>
  JSON.parse(Buffer.from(text.split('.')[2] ?? '', 'base64url').toString()) as RunGrant;
const GREEDY = ['apps:write', 'automations:write', 'users:write'];
/**
 * A draft that requests every scope, with a function, a schedule and a handler of its own events.
 */
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
    ],
  };
};
async function deploy(as: TestDeveloper, appId: string, body: object): Promise<void> {
  expect(await test.deployAndWait(as, appId, body)).toMatchObject({ status: 'success' });
}
async function versionOf(appId: string, version: string) {
  const [found] = await test.query<{ app_id: string; version: string; sha256: string }>(
    "SELECT app_id, version, encode(sha256, 'hex') AS sha256 FROM app_versions WHERE app_id = $1 AND version = $2",
    [appId, version],
  );
  return found;
}
async function begin(
  appId: string,
  kind: string,
  handler: string,
  more: object = {},
  version = '1.0.0',
): Promise<RunGrantResponse> {
  const runs = [{ ...(await versionOf(appId, version)), kind, handler, ...more }];
  const { status, body } = await asHost.post<RunGrantsResponse>('/v1/internal/run-grants', { runs });
  expect([status, body.grants.length, body.grants[0]]).toEqual([200, 1, expect.any(Object)]);
  return body.grants[0] as RunGrantResponse;
}
/** Grant with which the app's schedule acts for its developer. */
async function asDeveloper(appId: string, version = '1.0.0') {
  const { grant } = await begin(appId, 'schedule', 'nightly', {}, version);
  const { body } = await asHost.post<RunGrantExchangeResponse>('/v1/internal/run-grants/exchange', {
    grant,
    user_ids: [ada.user.id],
  });
  expect(body.grants).toHaveLength(1);
  return body.grants[0] as RunGrantExchangeResponse['grants'][number];
}
const call = async (appId: string, grant: string, name: string, params: object = {}) =>
  (
    await withJobs(
      asHost.post<CallResponse>(`/v1/internal/extensions/${appId}/call`, { grant, function: name, params }),
    )
  ).body;
const REFUSED = { status: 'error', error_code: 'PERMISSION_DENIED' };

describe('what an API key deploys', () => {
  it('acts for its developer with no more than the key: in schedules, functions, events and whatever they call', async () => {
    const appId = await test.app(ada);
    await deploy(program, appId, { ir_dict: greedy(appId) });
    const { grant, scopes } = await asDeveloper(appId);
    expect(scopes).toEqual(['apps:write']);
    expect(contentOf(grant)).toMatchObject({ narrowing: ['apps:*'], key: { scopes: ['apps:*'] } });
    expect(
      await call('automations', grant, 'create_automation', { prompt: 'every day at 09:00: message "Hi"' }),
    ).toMatchObject(REFUSED);

    const event = { event_id: newUuid(), type: `${appId}.made`, data: {}, timestamp: new Date().toISOString() };
    expect((await asHost.post('/v1/internal/events', { grant, ...event })).status).toBe(204);
    expect(await test.query('SELECT scopes, key FROM platform_events WHERE id = $1', [event.event_id])).toEqual([
      { scopes: ['apps:*'], key: { id: expect.any(String) as string, scopes: ['apps:*'] } },
    ]);
    const heard = await begin(appId, 'event', `${appId}.made`, { event_id: event.event_id });
    expect(heard).toMatchObject({ user_id: ada.user.id, scopes: ['apps:write'] });

    // The limit holds even if the developer calls it in person: a program deployed the code.
    const called = await ada.client.post<CallResponse>(`/v1/extensions/${appId}/call`, {
      user_id: ada.user.id,
      function: 'greet',
      params: { name: 'Ada' },
    });
    expect(called.body.error).toBeNull();
    const narrow = { userId: ada.user.id, scopes: ['apps:write'], narrowing: ['apps:*'], key: { scopes: ['apps:*'] } };
    expect(contentOf(running)).toMatchObject(narrow);

    // Its own deploys have the same limit.
    expect(
      await call('developer', grant, 'deploy_ir', { app_id: appId, ir_dict: greedy(appId, '2.0.0') }),
    ).toMatchObject({ error: null });
    expect((await asDeveloper(appId, '2.0.0')).scopes).toEqual(['apps:write']);
  });

  it('has of what it asks for what the key holds, too', async () => {
    const appId = await test.app(ada);
    await deploy(await withKey('apps:*,users:*'), appId, { ir_dict: greedy(appId) });
    expect((await asDeveloper(appId)).scopes).toEqual(['apps:write', 'users:write']);
  });

  it('acts as its developer once they deploy it themselves, and no longer when the key does again', async () => {
    const appId = await test.app(ada);
    await deploy(program, appId, { ir_dict: greedy(appId) });
    await deploy(ada, appId, { version: '1.0.0' });
    const { grant, scopes } = await asDeveloper(appId);
    expect(scopes).toEqual(GREEDY);
    expect(contentOf(grant)).toMatchObject({ narrowing: null, key: null });
    await deploy(ada, appId, { ir_dict: greedy(appId, '2.0.0') });
    // A rollback to the version of the developer.
    await deploy(program, appId, { version: '1.0.0' });
    expect((await asDeveloper(appId)).scopes).toEqual(['apps:write']);
    const [entry] = await test.query<{ after_state: object }>(
      "SELECT after_state FROM gateway_audit.audit_entries WHERE target_id = $1 AND action = 'app.deploy_requested' ORDER BY id DESC LIMIT 1",
      [appId],
    );
    expect(entry?.after_state).toMatchObject({ version: '1.0.0', narrowing: { scopes: ['apps:*'] } });
  });

  it('stays as narrow while it ends beside what its developer deployed after it', async () => {
    const appId = await test.app(ada);
    await deploy(program, appId, { ir_dict: greedy(appId) });
    const early = (await asDeveloper(appId)).grant;
    await deploy(ada, appId, { ir_dict: greedy(appId, '2.0.0') });
    expect((await asDeveloper(appId, '1.0.0')).scopes).toEqual(['apps:write']);
    expect((await asDeveloper(appId, '2.0.0')).scopes).toEqual(GREEDY);
    expect(
      await call('automations', early, 'create_automation', { prompt: 'every day at 09:00: message "Hi"' }),
    ).toMatchObject(REFUSED);
  });

  it('is as narrow by deploy_ir, and its developer makes it theirs by the same document', async () => {
    const appId = await test.app(ada);
    const key = await withKey('apps:*,developer:call');
    expect(await test.deployIr(key, appId, greedy(appId))).toMatchObject({ status: 'success' });
    expect((await asDeveloper(appId)).scopes).toEqual(['apps:write']);
    expect(await test.deployIr(ada, appId, greedy(appId))).toMatchObject({ status: 'success' });
    expect((await asDeveloper(appId)).scopes).toEqual(GREEDY);
    expect(await test.deployIr(key, appId, greedy(appId))).toMatchObject({ status: 'success' });
    expect((await asDeveloper(appId)).scopes).toEqual(GREEDY); // it changed nothing
  });
});

it('what a run of nobody calls is as narrow as the run, and so is what it publishes, whatever else the developer deployed', async () => {
  const [narrow, own] = [await test.app(ada), await test.app(ada)];
  await deploy(program, narrow, { ir_dict: greedy(narrow) });
  await deploy(ada, own, { ir_dict: greedy(own) });
  const given = { narrowing: ['apps:*'], key: { scopes: ['apps:*'] } };
  const event = { event_id: newUuid(), type: `${own}.made`, data: {}, timestamp: new Date().toISOString() };
  const { grant } = await begin(narrow, 'schedule', 'nightly');
  expect(contentOf(grant)).toMatchObject({ userId: null, ...given });
  expect(await call(own, grant, 'greet', { name: 'Ada' })).toMatchObject({ error: null });
  expect(contentOf(running)).toMatchObject({ appId: own, userId: null, ...given });
  expect((await asHost.post('/v1/internal/events', { grant: running, ...event })).status).toBe(204);
  expect(await test.query('SELECT user_id, scopes, key FROM platform_events WHERE id = $1', [event.event_id])).toEqual([
    { user_id: null, scopes: given.narrowing, key: { id: expect.any(String) as string, ...given.key } },
  ]);
  expect(contentOf((await begin(own, 'event', `${own}.made`, { event_id: event.event_id })).grant)).toMatchObject(
    given,
  );

  // A deploy in person has no limit.
  const free = await begin(own, 'schedule', 'nightly');
  expect(contentOf(free.grant)).toMatchObject({ userId: null, narrowing: null, key: null });
});

it('what an app deploys for its user acts with no more than that app was granted', async () => {
  const [appId, deployer] = [await test.app(ada), await test.app(ada)];
  await deploy(ada, deployer, { ir_dict: greedy(deployer) });
  const grant = await createRunGrant(test.gateway.service, deployer, { userId: ada.user.id, scopes: ['apps:write'] });
  expect(await call('developer', grant, 'deploy_ir', { app_id: appId, ir_dict: greedy(appId) })).toMatchObject({
    status: 'success',
  });
  expect((await asDeveloper(appId)).scopes).toEqual(['apps:write']);
});
