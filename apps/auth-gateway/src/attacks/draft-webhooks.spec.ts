import type {
  AppDetailResponse,
  AppWebhook,
  DeployReceipt,
  ListedAppResponse,
  RunGrantExchangeResponse,
  RunGrantsResponse,
} from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { documentOf, type DeployTest, type TestDeveloper } from '../testing/deploy-test.js';
import { ExtensionPlatform } from '../testing/extension-platform.js';
import { createTenant } from '../testing/tenants.js';

/** Webhooks of unpublished apps: their addresses and their users. */
let platform: ExtensionPlatform;
let test: DeployTest;
let asHost: TestClient;
let ada: TestDeveloper;
let app: string;
let receipt: DeployReceipt;
beforeAll(async () => {
  platform = await ExtensionPlatform.start();
  ({ test } = platform);
  asHost = test.gateway.backend();
});
beforeEach(async () => {
  ada = await test.developer();
  app = await test.app(ada);
  const { data, error } = await test.deployIr(ada, app, document('1.0.0', 'one'));
  expect(error).toBeNull();
  receipt = data as DeployReceipt;
});
afterAll(() => platform.stop());

function document(version: string, answer: string) {
  const { steps, ...rest } = documentOf(app, version);
  const hook = {
    id: 'hook',
    kind: 'webhook',
    action: 'hub',
    params: { method: ['GET', 'POST'], steps: [returns(answer)] },
  };
  return { ...rest, steps: [...steps, hook] };
}
const returns = (body: string) => ({ id: 'answer', kind: 'control', action: 'return', params: { body } });
const PANEL = 'http://localhost:4003';
const live = () => `/v1/ext/${app}/webhook/hub`;
const draft = () => `/v1/ext/${app}/draft/webhook/hub`;
/** Answers of both addresses, the live one first. */
const answers = () =>
  Promise.all(
    [live(), draft()].map(async (address) => {
      const { status, body } = await platform.host.client().post(address, {});
      return status === 404 ? 404 : body;
    }),
  );
const setStatus = async (status: string) =>
  expect((await asHost.post(`/v1/admin/apps/${app}/status`, { status })).status).toBe(200);
const detail = async () => (await ada.client.get<AppDetailResponse>(`/v1/developer/apps/${app}`)).body;
const addresses = (path: string, channel: string): AppWebhook[] =>
  ['GET', 'POST'].map((method) => ({ path: 'hub', method, channel, url: PANEL + path }) as AppWebhook);

describe('the webhooks of a draft', () => {
  it('answer where the receipt, the app and the list of apps say, and live with the app at once', async () => {
    expect(receipt.webhooks).toEqual(addresses(draft(), 'draft'));
    const { body: listed } = await ada.client.get<ListedAppResponse[]>('/v1/developer/apps');
    expect([(await detail()).webhooks, listed[0]?.webhooks]).toEqual([receipt.webhooks, receipt.webhooks]);
    expect(await answers()).toEqual([404, 'one']);
    expect((await ada.client.post(`/v1/developer/apps/${app}/submit`, {})).status).toBe(200);
    expect(await answers()).toEqual([404, 'one']);
    await setStatus('active');
    expect(await answers()).toEqual(['one', 404]);
    expect((await detail()).webhooks).toEqual(addresses(live(), 'live'));
    await setStatus('draft');
    // The live address caches the version for 5 s.
    expect((await platform.host.client().post(draft(), {})).body).toBe('one');
  });

  it('are those of a new version at once, in the list of apps too', async () => {
    expect(await answers()).toEqual([404, 'one']);
    expect((await test.deployIr(ada, app, document('1.1.0', 'two'))).error).toBeNull();
    expect(await answers()).toEqual([404, 'two']);
  });

  it('answer nowhere once the platform has suspended it, or its developer may not sign in', async () => {
    await test.query('UPDATE apps SET stopped_by_platform = true WHERE app_id = $1', [app]);
    expect(await answers()).toEqual([404, 404]);
    await test.query('UPDATE apps SET stopped_by_platform = false WHERE app_id = $1', [app]);
    expect(await answers()).toEqual([404, 'one']);
    await test.query('UPDATE users SET is_active = false WHERE id = $1', [ada.user.id]);
    expect(await answers()).toEqual([404, 404]);
  });

  it('answer nowhere for an app that was deleted, and are told to nobody but its developer', async () => {
    const other = await test.developer();
    const { id: tenant_id } = await createTenant(asHost);
    const elsewhere = await test.gateway.signIn(await test.gateway.user({ tenant_id, role: 'admin' }));
    for (const client of [other.client, elsewhere]) {
      expect((await client.get(`/v1/developer/apps/${app}`)).status).toBe(404);
      expect((await client.get(`/v1/marketplace/apps/${app}/webhooks`)).status).toBe(404);
    }
    expect((await ada.client.request('DELETE', `/v1/developer/apps/${app}`, { confirm_name: app })).status).toBe(200);
    expect(await answers()).toEqual([404, 404]);
  });

  it('act for nobody who has had the app', async () => {
    await setStatus('active');
    const bob = await test.gateway.user();
    const client = await test.gateway.signIn(bob);
    expect((await client.post(`/v1/marketplace/apps/${app}/install`, {})).status).toBe(200);
    await setStatus('draft');
    const [version] = await test.query<object>(
      "SELECT app_id, version, encode(sha256, 'hex') AS sha256 FROM app_versions WHERE app_id = $1",
      [app],
    );
    const { body } = await asHost.post<RunGrantsResponse>('/v1/internal/run-grants', {
      runs: [{ ...version, kind: 'webhook', handler: 'hub' }],
    });
    expect(body.grants[0]).toMatchObject({ user_id: null, tenant_id: 'default', scopes: [] });
    const exchanged = { grant: body.grants[0]?.grant, user_ids: [bob.id] };
    const answer = await asHost.post<Partial<RunGrantExchangeResponse>>('/v1/internal/run-grants/exchange', exchanged);
    expect(answer.body.grants ?? []).toEqual([]);
  });
});
