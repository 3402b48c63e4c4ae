import type { RunGrantResponse, RunGrantsResponse, UninstallResult } from '@platform/contracts';
import { newUuid } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import type { RunGrant } from '../extensions/run-grants/run-grant.js';
import { DeployTest, documentOf, type TestDeveloper } from '../testing/deploy-test.js';
import type { TestUser } from '../testing/gateway-test.js';
import { FakeRunHost } from '../testing/fake-run-host.js';
import { createTenant } from '../testing/tenants.js';

/** An app that a user has removed. */
let host: FakeRunHost;
let test: DeployTest;
/** The extension host, with its service token. */
let asHost: TestClient;
let developer: TestDeveloper;
let user: TestUser;
let client: TestClient;
let appId: string;
beforeAll(async () => {
  host = await FakeRunHost.start();
  test = await DeployTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
  asHost = test.gateway.backend();
  developer = await test.developer();
});
beforeEach(async () => {
  host.reset();
  const { id: tenant_id } = await createTenant(asHost);
  user = await test.gateway.user({ tenant_id, role: 'admin' });
  client = await test.gateway.signIn(user);
  appId = await published();
});
afterAll(async () => {
  await test.stop();
  await host.stop();
});

const NOTHING = [{ id: 'now', kind: 'transform', action: 'now', params: {} }];
async function published(): Promise<string> {
  const id = await test.app(developer);
  const { steps, ...rest } = documentOf(id, '1.0.0');
  const handlers = ['marketplace.app_uninstalled', 'marketplace.*'].map((action, at) => ({
    id: `handler-${at}`,
    kind: 'event',
    action,
    params: { steps: NOTHING },
  }));
  const ir_dict = { ...rest, capabilities: ['users:write', 'extensions:call'], steps: [...steps, ...handlers] };
  expect(await test.deployAndWait(developer, id, { ir_dict })).toMatchObject({ status: 'success' });
  await test.query("UPDATE apps SET status = 'active', published_at = now() WHERE app_id = $1", [id]);
  return id;
}
const path = (id = appId) => `/v1/marketplace/apps/${id}/install`;
const install = async (id = appId) => expect(await client.post(path(id), {})).toMatchObject({ status: 200 });
const uninstall = async (id = appId, as = client) =>
  expect(await as.delete<UninstallResult>(path(id))).toMatchObject({ status: 200 });
/** Waits for the newest event of this type about an app and returns its id. */
const eventOf = async (type: string, id = appId) =>
  (
    await until(async () => {
      const [found] = await test.query<{ id: string }>(
        "SELECT id FROM platform_events WHERE type = $1 AND payload ->> 'app_id' = $2 AND user_id = $3 ORDER BY insert_number DESC LIMIT 1",
        [`marketplace.${type}`, id, user.id],
      );
      return found;
    })
  ).id;
const removal = () => eventOf('app_uninstalled');
const reached = async (event_id: string, app_ids: string[]) =>
  (await asHost.post<{ app_ids: string[] }>('/v1/internal/events/subscribers', { event_id, app_ids })).body.app_ids;
async function begin(
  event_id: string,
  id = appId,
  handler = 'marketplace.app_uninstalled',
): Promise<RunGrantResponse | null> {
  const [version] = await test.query<object>(
    `SELECT v.app_id, v.version, encode(v.sha256, 'hex') AS sha256 FROM apps a
       JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version WHERE a.app_id = $1`,
    [id],
  );
  const runs = [{ ...version, kind: 'event', handler, event_id }];
  const { status, body } = await asHost.post<RunGrantsResponse>('/v1/internal/run-grants', { runs });
  expect(status).toBe(200);
  return body.grants[0] ?? null;
}
const given = async (event_id: string): Promise<string> => ((await begin(event_id)) as RunGrantResponse).grant;
const contentOf = (text: string) =>
  JSON.parse(Buffer.from(text.split('.')[2] ?? '', 'base64url').toString()) as RunGrant;
const readConfig = (grant: string) => asHost.post('/v1/internal/config', { grant });
const check = (grant: string) => asHost.post('/v1/internal/run-grants/check', { grant });
/** Everything that a run can request, except its settings. */
const askAll = async (grant: string) => ({
  notify: await asHost.post('/v1/internal/notifications', { grant, message: 'Come back' }),
  call: await asHost.post(`/v1/internal/extensions/${appId}/call`, {
    grant,
    function: 'greet',
    params: { name: 'Ada' },
  }),
  exchange: await asHost.post('/v1/internal/run-grants/exchange', { grant, user_ids: [user.id] }),
  users: await asHost.post('/v1/internal/run-grants/users', { grant, user_ids: [user.id] }),
  publish: await asHost.post('/v1/internal/events', {
    grant,
    event_id: newUuid(),
    type: `${appId}.left`,
    data: {},
    timestamp: new Date().toISOString(),
  }),
});
const REFUSED = { status: 403, body: { code: 'run_grant.refused' } };

describe('an app that its user has removed', () => {
  it('is told so, for that user in their tenant, with none of what it was granted', async () => {
    await install();
    expect(await begin(await eventOf('app_installed'), appId, 'marketplace.*')).toMatchObject({
      scopes: ['extensions:call', 'users:write'],
    });
    await uninstall();
    const event = await removal();
    expect(await reached(event, [appId])).toEqual([appId]);
    const begun = await begin(event);
    expect(begun).toMatchObject({ user_id: user.id, tenant_id: user.tenant_id, scopes: [], is_removal: true });
    const grant = contentOf(begun?.grant ?? '');
    expect(grant).toMatchObject({ userId: user.id, scopes: [], isUninstalled: true, eventId: event });
    expect(grant.expiresAt).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  it('reads its settings then, and reaches nothing else of the platform', async () => {
    await install();
    await uninstall();
    const grant = await given(await removal());
    expect(await readConfig(grant)).toMatchObject({ status: 200, body: { config: {} } });
    expect((await check(grant)).status).toBe(204);
    for (const [what, answer] of Object.entries(await askAll(grant)))
      expect([what, answer]).toMatchObject([what, REFUSED]);
    expect(host.runs).toEqual([]);
  });

  it('is not told by any other event, such as that it was installed', async () => {
    await install();
    await uninstall();
    const installed = await eventOf('app_installed');
    expect(await reached(installed, [appId])).toEqual([]);
    expect(await begin(installed, appId, 'marketplace.*')).toBeNull();
  });

  it('is not told any more an hour later', async () => {
    await install();
    await uninstall();
    const event = await removal();
    await test.query("UPDATE platform_events SET created_at = now() - interval '59 minutes' WHERE id = $1", [event]);
    expect(await begin(event)).not.toBeNull();
    await test.query("UPDATE platform_events SET created_at = now() - interval '61 minutes' WHERE id = $1", [event]);
    expect(await reached(event, [appId])).toEqual([]);
    expect(await begin(event)).toBeNull();
  });

  it('is not told once its user has it again, and cannot go on with what it was given', async () => {
    await install();
    await uninstall();
    const event = await removal();
    const grant = await given(event);
    await install();
    expect(await reached(event, [appId])).toEqual([]);
    expect(await begin(event)).toBeNull();
    expect(await check(grant)).toMatchObject(REFUSED);
    expect(await readConfig(grant)).toMatchObject(REFUSED);
    for (const [what, answer] of Object.entries(await askAll(grant)))
      expect([what, answer]).toMatchObject([what, REFUSED]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['was suspended', () => test.query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [appId])],
    [
      'was closed to them',
      () =>
        test.query(
          "INSERT INTO access_policies (tenant_id, app_id, mode, denied_users) VALUES ($1, $2, 'public', $3)",
          [user.tenant_id, appId, [user.id]],
        ),
    ],
    ['lost its user', () => test.query('UPDATE users SET is_active = false WHERE id = $1', [user.id])],
  ])('is not told when it %s', async (_what, happens) => {
    await install();
    await uninstall();
    const event = await removal();
    const grant = await given(event);
    await happens();
    expect(await reached(event, [appId])).toEqual([]);
    expect(await begin(event)).toBeNull();
    expect(await readConfig(grant)).toMatchObject(REFUSED);
  });

  it('is told again by each of two removals, and never of those of others', async () => {
    const other = await test.gateway.user();
    const others = await test.gateway.signIn(other);
    await others.post(path(), {});
    await uninstall(appId, others);
    await install();
    await uninstall();
    const theirs = await until(async () => {
      const [found] = await test.query<{ id: string }>(
        "SELECT id FROM platform_events WHERE type = 'marketplace.app_uninstalled' AND user_id = $1",
        [other.id],
      );
      return found;
    });
    expect(await begin(theirs.id)).toMatchObject({ user_id: other.id, tenant_id: 'default' });
    expect(await begin(await removal())).toMatchObject({ user_id: user.id, tenant_id: user.tenant_id });
  });
});

describe('what is installed and removed', () => {
  it('is told to that app alone', async () => {
    const other = await published();
    await install(other);
    await install();
    const installed = await eventOf('app_installed');
    expect(await reached(installed, [other, appId])).toEqual([appId]);
    expect(await begin(installed, other, 'marketplace.*')).toBeNull();
    await uninstall();
    const removed = await removal();
    expect(await reached(removed, [other, appId])).toEqual([appId]);
    expect(await begin(removed, other)).toBeNull();
    expect(await begin(removed, other, 'marketplace.*')).toBeNull();
  });

  it('is not told to its developer’s own draft either', async () => {
    const draft = await test.app(developer);
    client = developer.client;
    user = developer.user;
    await install();
    expect(await reached(await eventOf('app_installed'), [draft, appId])).toEqual([appId]);
  });
});
