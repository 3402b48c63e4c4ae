import type {
  AppRuntimeInfo,
  DeployResponse,
  ListedAppResponse,
  NotificationsResponse,
  PendingAppResponse,
} from '@platform/contracts';
import { BroadcastService } from '@platform/messaging';
import { HeldLock, until } from '@platform/testing';
import { Registry } from 'prom-client';
import { DEPLOY_CHANGED } from '../deploys/saga/deploy-completion.service.js';
import { DeployTest, documentOf, type TestDeveloper } from '../../testing/deploy-test.js';

let test: DeployTest;
let ada: TestDeveloper;
beforeAll(async () => {
  test = await DeployTest.start();
  ada = await test.developer();
});
afterAll(() => test.stop());

const admin = () => test.gateway.backend();
const document = (appId: string, version: string, changes: object = {}) => ({
  ...documentOf(appId, version),
  ...changes,
});
const decide = (appId: string, decision: 'approve' | 'reject' | 'status', body: object) =>
  admin().post(`/v1/admin/apps/${appId}/${decision}`, body);
/** Approves the pending content by its sha256. */
const approve = async (appId: string, version?: string) =>
  decide(appId, 'approve', { version, sha256: (await pending(appId))[0]?.sha256 });
const reject = async (appId: string, reason = 'Why the scope?') => {
  const [{ submitted_version: version, sha256 } = {}] = await pending(appId);
  return decide(appId, 'reject', { reason, version, sha256 });
};
/** The developer's notifications about the app, oldest first. */
const toldDeveloper = async (appId: string) => {
  const { items } = (await ada.client.get<NotificationsResponse>('/v1/me/notifications?limit=200')).body;
  return items
    .reverse()
    .filter(({ app_id, subject }) => app_id === 'developer' && subject?.startsWith(appId))
    .map(({ subject, message, priority }) => [subject?.slice(appId.length + 1), message, priority]);
};
const pending = async (appId: string) =>
  (await admin().get<PendingAppResponse[]>('/v1/admin/apps/pending?limit=500')).body.filter(
    ({ app_id }) => app_id === appId,
  );
const listed = async (appId: string) =>
  (await ada.client.get<ListedAppResponse[]>('/v1/developer/apps?limit=200')).body.find(
    ({ app_id }) => app_id === appId,
  );
const deploy = async (appId: string, id: string) =>
  (await ada.client.get<DeployResponse>(`/v1/developer/apps/${appId}/deploys/${id}`)).body;

/**
 * Ids of deploys with a published change from now on. Each change arrives at least twice: directly
 * in this process, and as its message.
 */
function toldOf(): Set<string> {
  const told = new Set<string>();
  test.gateway.service.app.get(BroadcastService).subscribe(DEPLOY_CHANGED, (deployId) => void told.add(deployId));
  return told;
}
/** The value of a metric: the counter of a status, or the count of a histogram. */
const counted = async (name: string, status?: string) =>
  (await test.gateway.service.app.get(Registry).getSingleMetric(name)?.get())?.values.find(({ labels, ...value }) =>
    status === undefined ? 'metricName' in value && value.metricName === `${name}_count` : labels['status'] === status,
  )?.value ?? 0;

/** An app in the marketplace, after a review of its version 1.0.0. */
async function published(): Promise<string> {
  const appId = await test.app(ada);
  await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.0.0') });
  expect((await ada.client.post(`/v1/developer/apps/${appId}/submit`, {})).status).toBe(200);
  expect((await approve(appId)).body).toMatchObject({ status: 'active', version: '1.0.0' });
  return appId;
}
const MORE = { capabilities: ['notes:read'] };
const NOTHING = {
  scopes: [],
  hosts: [],
  capabilities: [],
  events: [],
  webhooks: [],
  schedules: [],
  functions: [],
  name: null,
  icon: false,
};
const NEWS = { ...NOTHING, scopes: ['notes:read'] };
const ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>';
const both = (version: string) => ({ gateway: version, registry: version });

it('tells the developer what became of deploys and reviews, and nothing of what a newer one has overtaken', async () => {
  const appId = await test.app(ada);
  await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.0.0') });
  const submit = () => ada.client.post(`/v1/developer/apps/${appId}/submit`, {});
  await submit();
  await reject(appId, 'No icon.');
  await submit();
  await approve(appId);
  await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.1.0', MORE) });
  await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.2.0', MORE) });
  await reject(appId, 'Why the scope?');
  const live = (version: string) => [`${version} is live`, `Calls of ${appId} run this version from now on.`, 'low'];
  const waits = (version: string) => [
    `${version} waits for a review`,
    'Until then, users keep the previous version.',
    'normal',
  ];
  expect(await toldDeveloper(appId)).toEqual([
    live('1.0.0'),
    ['was sent back', 'The review did not approve it: No icon.', 'high'],
    ['is in the marketplace', 'The review approved it: everybody can install it now.', 'normal'],
    waits('1.1.0'),
    waits('1.2.0'),
    ['1.2.0 was not deployed', 'The review did not approve it: Why the scope?', 'high'],
  ]);
});

describe('a version of an app in the marketplace', () => {
  it('goes live by itself when it asks for nothing new', async () => {
    const appId = await published();
    const other = documentOf(appId, '1.1.0', 'Goodbye');
    expect(await test.deployAndWait(ada, appId, { ir_dict: other })).toMatchObject({
      status: 'success',
      waits_for: null,
    });
    expect(await test.servedVersions(appId)).toEqual(both('1.1.0'));
    expect(await pending(appId)).toEqual([]);
  });

  it('waits for a review when it asks for more, and the one before is served until that approves it', async () => {
    const appId = await published();
    const waiting = await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.1.0', MORE) });
    expect(waiting).toMatchObject({
      status: 'waiting',
      waits_for: NEWS,
      steps: expect.arrayContaining([{ name: 'served', at: null }]),
    });
    expect(await test.servedVersions(appId)).toEqual(both('1.0.0'));
    expect(await pending(appId)).toMatchObject([
      { submitted_version: '1.1.0', served_version: '1.0.0', waits_for: NEWS },
    ]);
    expect(await listed(appId)).toMatchObject({ version: '1.0.0', waiting: { version: '1.1.0', waits_for: NEWS } });
    const answers = await Promise.all([approve(appId, '1.1.0'), approve(appId, '1.1.0')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await until(async () => (await test.servedVersions(appId)).registry === '1.1.0');
    expect(await test.servedVersions(appId)).toEqual(both('1.1.0'));
    expect(await deploy(appId, waiting.deploy_id)).toMatchObject({ status: 'success', waits_for: NEWS });
    expect([await pending(appId), (await listed(appId))?.waiting]).toEqual([[], null]);
    // A rollback to a version that requests less, and to an approved one, needs no review.
    await test.deployAndWait(ada, appId, { version: '1.0.0' });
    expect(await test.deployAndWait(ada, appId, { version: '1.1.0' })).toMatchObject({ status: 'success' });
    expect(await test.servedVersions(appId)).toEqual(both('1.1.0'));
  });

  it('waits, too, when its app gets into the marketplace while it is about to be served', async () => {
    const appId = await test.app(ada);
    await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.0.0') });
    const [accepted, approval] = await test.withoutRegistry(async () => [
      await test.deploy(ada, appId, { ir_dict: document(appId, '1.1.0', MORE) }),
      await HeldLock.acquire(test.gateway.service, "UPDATE apps SET status = 'active' WHERE app_id = $1", [appId]),
    ]);
    await approval.waitForBlocked(1);
    await approval.release();
    expect(await test.waitForDeploy(ada, appId, accepted.deploy_id)).toMatchObject({
      status: 'waiting',
      waits_for: NEWS,
    });
    expect(await test.servedVersions(appId)).toEqual(both('1.0.0'));
  });

  it('is not served when the review refuses it, and its developer reads why', async () => {
    const appId = await published();
    const { deploy_id } = await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.1.0', { name: 'Bank' }) });
    expect(await reject(appId)).toMatchObject({
      status: 200,
      body: { status: 'active', reject_reason: 'Why the scope?' },
    });
    expect(await deploy(appId, deploy_id)).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('Why the scope?'),
    });
    expect(await listed(appId)).toMatchObject({
      status: 'active',
      version: '1.0.0',
      name: 'Notes',
      waiting: null,
      reject_reason: 'Why the scope?',
    });
    expect((await approve(appId)).status).toBe(409);
    expect(await test.deployAndWait(ada, appId, { version: '1.1.0' })).toMatchObject({ status: 'waiting' });
    expect(await test.servedVersions(appId)).toEqual(both('1.0.0'));
  });

  it('ends for all who wait for its deploy, and is counted, when it is approved and when it is refused', async () => {
    const told = toldOf();
    const [refused, approved] = [await published(), await published()];
    const first = await test.deployAndWait(ada, refused, { ir_dict: document(refused, '1.1.0', MORE) });
    const second = await test.deployAndWait(ada, approved, { ir_dict: document(approved, '1.1.0', MORE) });
    const before = [
      await counted('deploys_finished_total', 'failed'),
      await counted('deploys_finished_total', 'success'),
    ] as const;
    const timed = await counted('deploy_served_seconds');
    told.clear();

    expect((await reject(refused)).status).toBe(200);
    expect(told).toContain(first.deploy_id); // the other deploy's `waiting` status may also be published only now
    expect(await deploy(approved, second.deploy_id)).toMatchObject({ status: 'waiting' });
    expect((await approve(approved, '1.1.0')).status).toBe(200);
    expect(told).toContain(second.deploy_id);
    expect(await counted('deploys_finished_total', 'failed')).toBe(before[0] + 1);
    expect(await counted('deploys_finished_total', 'success')).toBe(before[1] + 1);
    expect(await counted('deploy_served_seconds')).toBe(timed); // the time of a review does not count as time of a deploy
  });

  it('is approved and refused only as the version that was looked at, since another may have come into its place', async () => {
    const appId = await published();
    await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.1.0', MORE) });
    await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.2.0', { ...MORE, name: 'Bank' }) });
    const [now] = await pending(appId);
    const named = { version: '1.2.0', sha256: now?.sha256 };
    const reason = 'Why the scope?';
    for (const other of [{ ...named, version: '1.1.0' }, { version: '1.1.0' }, { ...named, sha256: '0'.repeat(64) }]) {
      const changed = { status: 409, body: { code: 'app.review_changed', ...named } };
      expect(await decide(appId, 'approve', other)).toMatchObject(changed);
      expect(await decide(appId, 'reject', { ...other, reason })).toMatchObject(changed);
    }
    for (const less of [{}, { version: '1.2.0' }, { sha256: now?.sha256 }]) {
      const missing = { status: 409, body: { code: 'app.review_content_missing', ...named } };
      expect(await decide(appId, 'approve', less)).toMatchObject(missing);
      expect(await decide(appId, 'reject', { ...less, reason })).toMatchObject(missing);
    }
    expect((await decide(appId, 'approve', { ...named, sha256: 'none' })).status).toBe(422);
    expect(await test.servedVersions(appId)).toEqual(both('1.0.0'));
    expect(await approve(appId, '1.2.0')).toMatchObject({ status: 200, body: { version: '1.2.0' } });
  });

  it('is compared with the listing: a version without a document between two hides no other name or icon', async () => {
    const appId = await test.app(ada);
    await test.deployAndWait(ada, appId, { version: '0.0.1' });
    await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.0.0') });
    expect((await ada.client.post(`/v1/developer/apps/${appId}/submit`, {})).status).toBe(200);
    expect((await approve(appId, '1.0.0')).status).toBe(200);
    await test.deployAndWait(ada, appId, { version: '0.0.1' });
    const harmless = { id: 'main', kind: 'function', action: 'main', params: { description: 'Nothing.', steps: [] } };
    const bank = { app_id: appId, version: '2.0.0', name: 'Bank', icon: ICON, steps: [harmless] };
    const answer = await test.deployAndWait(ada, appId, { ir_dict: bank });
    expect(answer).toMatchObject({ status: 'waiting', waits_for: { name: 'Bank', icon: true } });
    expect(await listed(appId)).toMatchObject({ name: 'Notes' });
  });

  it('is not approved any more when the app has left the marketplace since', async () => {
    const appId = await published();
    await test.deployAndApprove(ada, appId, { ir_dict: document(appId, '1.1.0', MORE) });
    await admin().post(`/v1/admin/apps/${appId}/status`, { status: 'suspended' });
    await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.2.0') });
    expect((await ada.client.post(`/v1/developer/apps/${appId}/submit`, {})).status).toBe(200);
    expect((await approve(appId, '1.2.0')).status).toBe(200);
    expect(await test.deployAndWait(ada, appId, { version: '1.1.0' })).toMatchObject({
      status: 'waiting',
      waits_for: NEWS,
    });
  });

  it('gives it no other name by the portal either', async () => {
    const appId = await published();
    const rename = () =>
      ada.client.put(`/v1/developer/apps/${appId}`, { display_name: 'Bank', short_description: 'Notes' });
    expect(await rename()).toMatchObject({ status: 409, body: { code: 'app.name_fixed' } });
    expect(await listed(appId)).toMatchObject({ name: 'Notes' });
    expect((await ada.client.post(`/v1/developer/apps/${appId}/suspend`)).status).toBe(200);
    expect(await rename()).toMatchObject({ status: 200, body: { name: 'Bank' } });
  });

  it('gives way to a newer one, whether that waits or not', async () => {
    const appId = await published();
    const first = await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.1.0', MORE) });
    const second = await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.2.0', MORE) });
    expect([(await deploy(appId, first.deploy_id)).status, second.status]).toEqual(['superseded', 'waiting']);
    expect(await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.3.0') })).toMatchObject({
      status: 'success',
    });
    expect([(await deploy(appId, second.deploy_id)).status, await pending(appId)]).toEqual(['superseded', []]);
    expect(await test.servedVersions(appId)).toEqual(both('1.3.0'));
  });

  it('waits no more when the app leaves the marketplace, where each version is its developer’s', async () => {
    const appId = await published();
    const { deploy_id } = await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.1.0', MORE) });
    expect((await ada.client.post(`/v1/developer/apps/${appId}/suspend`)).status).toBe(200);
    expect([(await deploy(appId, deploy_id)).status, await pending(appId)]).toEqual(['superseded', []]);
    expect(await test.deployAndWait(ada, appId, { version: '1.1.0' })).toMatchObject({ status: 'success' });
  });

  it.each<[string, (appId: string) => Promise<{ status: number }>]>([
    ['its developer', (appId) => ada.client.post(`/v1/developer/apps/${appId}/suspend`)],
    ['the platform', (appId) => decide(appId, 'status', { status: 'suspended' })],
  ])(
    'ends for all who wait for its deploy, and is counted, when %s takes the app out of the marketplace',
    async (_who, takeOut) => {
      const told = toldOf();
      const appId = await published();
      const { deploy_id } = await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.1.0', MORE) });
      const before = await counted('deploys_finished_total', 'superseded');
      told.clear();
      expect((await takeOut(appId)).status).toBe(200);
      expect(told).toContain(deploy_id);
      expect(await counted('deploys_finished_total', 'superseded')).toBe(before + 1);
      expect(await deploy(appId, deploy_id)).toMatchObject({ status: 'superseded' });
    },
  );

  it('is approved for what it was: other content of a draft is reviewed anew', async () => {
    const appId = await published();
    await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.1.0') });
    await admin().post(`/v1/admin/apps/${appId}/status`, { status: 'draft' });
    await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.0.0', MORE) });
    await test.deployAndWait(ada, appId, { version: '1.1.0' });
    await admin().post(`/v1/admin/apps/${appId}/status`, { status: 'active' });
    expect(await test.deployAndWait(ada, appId, { version: '1.0.0' })).toMatchObject({
      status: 'waiting',
      waits_for: NEWS,
    });
    expect(await test.servedVersions(appId)).toEqual(both('1.1.0'));
  });

  it('says so in the receipt, once more when it is repeated', async () => {
    const appId = await published();
    for (const unchanged of [false, true]) {
      expect(await test.deployIr(ada, appId, document(appId, '1.1.0', MORE))).toMatchObject({
        status: 'success',
        summary: expect.stringContaining('waits for a review: new compared with the running version: scope notes:read'),
        data: { commit: '1.1.0', status: 'waiting', waits_for: NEWS, unchanged },
      });
    }
    expect(await pending(appId)).toHaveLength(1);
    expect(await test.servedVersions(appId)).toEqual(both('1.0.0'));
  });

  it('of another developer is nobody’s to see, and approving is for those who run the platform', async () => {
    const appId = await published();
    await test.deployAndWait(ada, appId, { ir_dict: document(appId, '1.1.0', MORE) });
    const eve = await test.developer();
    for (const client of [eve.client, ada.client]) {
      expect((await client.post(`/v1/admin/apps/${appId}/approve`)).status).toBe(403);
      expect((await client.get('/v1/admin/apps/pending')).status).toBe(403);
    }
    expect((await eve.client.get(`/v1/developer/apps/${appId}`)).status).toBe(404);
  });
});

describe('where a version sends requests', () => {
  const ask = {
    id: 'ask',
    kind: 'function',
    action: 'ask',
    params: { description: 'Asks.', action_type: 'read', code: { module: 'main', entry: 'f' } },
  };
  const asking = (appId: string, version: string, request: string, changes: object = {}) => {
    const modules = { main: `export const f = async (event, ctx) => ${request};` };
    return { app_id: appId, version, name: 'Notes', modules, steps: [ask], ...changes };
  };
  /** Hosts that the extension host gets. */
  const hosts = async (appId: string) =>
    (await admin().get<AppRuntimeInfo>(`/v1/internal/apps/${appId}/runtime`)).body.hosts;
  const PLAIN = "ctx.http.get('https://api.example.com/')";
  const HIDDEN = "ctx['ht' + 'tp'].get('ht' + 'tps://evil.example/')";
  async function publishedCode(): Promise<string> {
    const appId = await test.app(ada);
    await test.deployAndWait(ada, appId, { ir_dict: asking(appId, '1.0.0', PLAIN) });
    expect((await ada.client.post(`/v1/developer/apps/${appId}/submit`, {})).status).toBe(200);
    expect(await pending(appId)).toMatchObject([{ waits_for: null, hosts: ['api.example.com'] }]);
    expect((await approve(appId)).status).toBe(200);
    return appId;
  }

  it('is what it asks for: a host that only its code knows is none that it may call', async () => {
    const appId = await publishedCode();
    expect(await hosts(appId)).toEqual(['api.example.com']);
    expect(
      await test.deployAndWait(ada, appId, { ir_dict: asking(appId, '1.1.0', `[${PLAIN}, ${HIDDEN}]`) }),
    ).toMatchObject({
      status: 'success',
    });
    expect(await hosts(appId)).toEqual(['api.example.com']);
    expect(await test.deployAndWait(ada, appId, { ir_dict: asking(appId, '1.2.0', HIDDEN) })).toMatchObject({
      status: 'success',
    });
    expect(await hosts(appId)).toEqual([]);
  });

  it('is more when it declares that, and it waits for a review then', async () => {
    const appId = await publishedCode();
    const more = { hosts: ['evil.example', 'api.example.com'] };
    const waiting = await test.deployAndWait(ada, appId, { ir_dict: asking(appId, '1.1.0', HIDDEN, more) });
    expect(waiting).toMatchObject({ status: 'waiting', waits_for: { ...NEWS, scopes: [], hosts: ['evil.example'] } });
    expect(await hosts(appId)).toEqual(['api.example.com']);
    expect(await pending(appId)).toMatchObject([{ hosts: ['api.example.com', 'evil.example'] }]);
    expect((await approve(appId, '1.1.0')).status).toBe(200);
    expect(await hosts(appId)).toEqual(['api.example.com', 'evil.example']);
  });

  it('is at most 50 hosts, of the steps, too; where it redirects to may be more, of which the audit log keeps 50 and a count', async () => {
    const appId = await publishedCode();
    const steps = Array.from({ length: 51 }, (_none, at) => ({
      id: `s${at}`,
      kind: 'http',
      action: 'get',
      params: { url: `https://h${at}.example/` },
    }));
    const refused = await ada.client.post(`/v1/developer/apps/${appId}/deploys`, {
      ir_dict: { app_id: appId, version: '1.1.0', name: 'Notes', hosts: [], steps },
    });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('requests 51 hosts');
    const most = Array.from({ length: 51 }, (_none, at) => `h${at}.example`);
    await expect(
      test.query(
        "INSERT INTO app_versions (app_id, version, sha256, manifest, hosts) VALUES ($1, '9.0.0', $2, '{}', $3)",
        [appId, Buffer.alloc(32), most],
      ),
    ).rejects.toThrow('app_versions_hosts_check');

    const inputs = ['a', 'b', 'c'].map((id) => ({
      id,
      kind: 'webhook',
      action: id,
      params: {
        redirect_hosts: Array.from({ length: 20 }, (_none, at) => `${id}${at}.example`),
        steps: [{ id: 'now', kind: 'transform', action: 'now', params: {} }],
      },
    }));
    const waiting = await test.deployAndWait(ada, appId, {
      ir_dict: asking(appId, '1.1.0', PLAIN, { steps: [ask, ...inputs] }),
    });
    expect(waiting).toMatchObject({ status: 'waiting' });
    expect(waiting.waits_for?.hosts).toHaveLength(60);
    const [entry] = await test.query<{ after: { waits_for: { hosts: string[] } } }>(
      "SELECT after_state AS after FROM gateway_audit.audit_entries WHERE target_id = $1 AND action = 'app.review_requested'",
      [appId],
    );
    const { hosts: listed, ...rest } = waiting.waits_for ?? { hosts: [] };
    expect(entry?.after.waits_for).toEqual({ ...rest, hosts: listed.slice(0, 50), counts: { hosts: 60 } });
  });

  /** Capabilities that the extension host gets. */
  const capabilities = async (appId: string) =>
    (await admin().get<AppRuntimeInfo>(`/v1/internal/apps/${appId}/runtime`)).body.capabilities;
  const COMPUTED = "ctx['no' + 'tify'].send({ message: 'a' })";

  it('is what of its context it asks for: what its code puts together it has to declare, and waits for a review then', async () => {
    const appId = await publishedCode();
    expect(await capabilities(appId)).toEqual(['http']);
    expect(await test.deployAndWait(ada, appId, { ir_dict: asking(appId, '1.1.0', COMPUTED) })).toMatchObject({
      status: 'success',
    });
    expect(await capabilities(appId)).toEqual([]);
    const more = { capabilities: ['notify'] };
    const waiting = await test.deployAndWait(ada, appId, { ir_dict: asking(appId, '1.2.0', COMPUTED, more) });
    expect(waiting).toMatchObject({ status: 'waiting', waits_for: { ...NOTHING, capabilities: ['notify'] } });
    expect(await capabilities(appId)).toEqual([]);
    expect(await pending(appId)).toMatchObject([{ capabilities: ['notify'] }]);
    expect((await approve(appId, '1.2.0')).status).toBe(200);
    expect(await capabilities(appId)).toEqual(['notify']);
  });

  it('does not open a new way into code, which waits for a review', async () => {
    const appId = await publishedCode();
    const handler = (kind: string, action: string, params: object = {}) => ({
      id: action,
      kind,
      action,
      params: { ...params, code: { module: 'main', entry: 'f' } },
    });
    const ways = (version: string, ...more: object[]) =>
      test.deployAndWait(ada, appId, { ir_dict: asking(appId, version, PLAIN, { steps: [ask, ...more] }) });
    const first = [handler('webhook', 'in'), handler('schedule', 'nightly', { cron: '@daily' })];
    const news = { ...NOTHING, webhooks: ['POST in'], schedules: ['nightly'] };
    expect(await ways('1.1.0', ...first)).toMatchObject({ status: 'waiting', waits_for: news });
    expect((await approve(appId, '1.1.0')).status).toBe(200);
    const hourly = handler('schedule', 'hourly', { cron: '@hourly' });
    expect(await ways('1.2.0', ...first, hourly)).toMatchObject({ status: 'success' });
    const out = handler('webhook', 'out');
    expect(await ways('1.3.0', ...first, hourly, out)).toMatchObject({
      status: 'waiting',
      waits_for: { ...NOTHING, webhooks: ['POST out'] },
    });
  });

  it('is that of the content: a draft that gets other content gets another list, and nothing else changes one', async () => {
    const appId = await test.app(ada);
    for (const host of ['a.example', 'b.example']) {
      await test.deployAndWait(ada, appId, { ir_dict: asking(appId, '1.0.0', HIDDEN, { hosts: [host] }) });
      expect(await hosts(appId)).toEqual([host]);
    }
    const change = (list: string) => test.query(`UPDATE app_versions SET hosts = ${list} WHERE app_id = $1`, [appId]);
    for (const list of ["'{*}'", 'NULL']) await expect(change(list)).rejects.toThrow('never changes');
    expect(await hosts(appId)).toEqual(['b.example']);
    await test.deployAndWait(ada, appId, {
      ir_dict: asking(appId, '1.0.0', 'ctx.store.count("a")', { hosts: ['b.example'] }),
    });
    expect(await capabilities(appId)).toEqual(['store']);
    const reaching = (list: string) =>
      test.query(`UPDATE app_versions SET capabilities = ${list} WHERE app_id = $1`, [appId]);
    for (const list of ["'{store,notify}'", 'NULL']) await expect(reaching(list)).rejects.toThrow('never changes');
  });
});
