import type { CallResponse, KeyResponse, RunGrantExchangeResponse, RunGrantsResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import type { RunGrant } from '../extensions/run-grants/run-grant.js';
import { DeployTest, documentOf, type TestDeveloper } from '../testing/deploy-test.js';
import { FakeRunHost, SUCCESS } from '../testing/fake-run-host.js';
import { createTenant } from '../testing/tenants.js';

/** A published app. Its developer calls it without having installed it. */
let host: FakeRunHost;
let test: DeployTest;
let ada: TestDeveloper;
let appId: string;
/** Grant of the last run. */
let running: RunGrant;
beforeAll(async () => {
  host = await FakeRunHost.start();
  test = await DeployTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
});
beforeEach(async () => {
  host.answer = ({ grant }) => {
    running = JSON.parse(Buffer.from(grant.split('.')[2] ?? '', 'base64url').toString()) as RunGrant;
    return SUCCESS;
  };
  ada = await test.developer();
  await test.query("UPDATE users SET role = 'admin' WHERE id = $1", [ada.user.id]);
  ada.client = await test.gateway.signIn(ada.user);
  appId = await test.app(ada);
});
afterAll(async () => {
  await test.stop();
  await host.stop();
});

const GREEDY = ['apps:write', 'automations:write', 'users:write'];
const document = () => {
  const { steps, ...rest } = documentOf(appId, '1.0.0');
  const nothing = [{ id: 'now', kind: 'transform', action: 'now', params: {} }];
  const nightly = { id: 'nightly', kind: 'schedule', action: 'nightly', params: { cron: '0 3 * * *', steps: nothing } };
  return { ...rest, capabilities: GREEDY, steps: [...steps, nightly] };
};
async function publish(by: TestDeveloper): Promise<void> {
  expect(await test.deployAndWait(by, appId, { ir_dict: document() })).toMatchObject({ status: 'success' });
  await test.query("UPDATE apps SET status = 'active', published_at = now() WHERE app_id = $1", [appId]);
}
const call = (client: TestClient, user: { id: string }) =>
  client.post<CallResponse>(`/v1/extensions/${appId}/call`, {
    user_id: user.id,
    function: 'greet',
    params: { name: 'Ada' },
  });
const install = () => ada.client.post(`/v1/marketplace/apps/${appId}/install`, {});
const uninstall = () => ada.client.request('DELETE', `/v1/marketplace/apps/${appId}/install`);
async function program(scopes: string): Promise<TestDeveloper & { keyId: string }> {
  const { body } = await ada.client.post<KeyResponse>('/v1/keys', { name: 'deploys', scopes });
  return { user: ada.user, client: test.gateway.client().withHeaders({ 'x-api-key': body.key }), keyId: body.id };
}

it('is called by its developer without an installation, with what it asks for, and by nobody else', async () => {
  await publish(ada);
  expect(await call(ada.client, ada.user)).toMatchObject({ status: 200, body: { status: 'success' } });
  expect(running).toMatchObject({ userId: ada.user.id, scopes: GREEDY, narrowing: null });
  const { id: other } = await createTenant(test.gateway.backend());
  for (const tenant_id of ['default', other]) {
    const stranger = await test.gateway.user({ tenant_id });
    expect(await call(await test.gateway.signIn(stranger), stranger)).toMatchObject({ status: 404 });
  }
});

it('acts for its developer no further than the API key that deployed it, until they install it', async () => {
  const key = await program('apps:*');
  await publish(key);
  expect((await call(ada.client, ada.user)).status).toBe(200);
  expect(running).toMatchObject({ scopes: ['apps:write'], narrowing: ['apps:*'], key: { scopes: ['apps:*'] } });
  await ada.client.request('DELETE', `/v1/keys/${key.keyId}`);
  expect(await call(ada.client, ada.user)).toMatchObject({ status: 403, body: { code: 'extension.key_gone' } });
  expect((await install()).status).toBe(200);
  expect((await call(ada.client, ada.user)).status).toBe(200);
  expect(running).toMatchObject({ scopes: GREEDY, narrowing: null });
});

it('does nothing for its developer once they have removed it, disabled it, or their tenant has closed it to them', async () => {
  await publish(ada);
  await test.query('INSERT INTO disabled_extensions (user_id, app_id) VALUES ($1, $2)', [ada.user.id, appId]);
  expect(await call(ada.client, ada.user)).toMatchObject({ status: 403, body: { code: 'extension.disabled' } });
  await test.query('DELETE FROM disabled_extensions WHERE app_id = $1', [appId]);
  const rule = { mode: 'public', denied_users: [ada.user.id] };
  expect((await ada.client.put(`/v1/extensions/${appId}/access`, rule)).status).toBe(200);
  expect(await call(ada.client, ada.user)).toMatchObject({ status: 403, body: { code: 'extension.access_denied' } });
  expect((await ada.client.put(`/v1/extensions/${appId}/access`, { mode: 'public', denied_users: [] })).status).toBe(
    200,
  );
  await install();
  expect((await call(ada.client, ada.user)).status).toBe(200);
  await uninstall();
  expect(await call(ada.client, ada.user)).toMatchObject({ status: 404 });
});

it('does nothing by itself for its developer before they install it', async () => {
  await publish(await program('apps:*'));
  const [version] = await test.query<{ app_id: string; version: string; sha256: string }>(
    "SELECT app_id, version, encode(sha256, 'hex') AS sha256 FROM app_versions WHERE app_id = $1",
    [appId],
  );
  const asHost = test.gateway.backend();
  const runs = [{ ...version, kind: 'schedule', handler: 'nightly' }];
  const grantsFor = async () => {
    const { body } = await asHost.post<RunGrantsResponse>('/v1/internal/run-grants', { runs });
    const { grant } = body.grants[0] as { grant: string };
    const stranger = await test.gateway.user();
    const asked = { grant, user_ids: [ada.user.id, stranger.id] };
    return (await asHost.post<RunGrantExchangeResponse>('/v1/internal/run-grants/exchange', asked)).body.grants;
  };
  expect(await grantsFor()).toEqual([]);
  await install();
  expect(await grantsFor()).toMatchObject([{ user_id: ada.user.id, scopes: GREEDY }]);
  await uninstall();
  expect(await grantsFor()).toEqual([]);
});
