import type {
  AppDetailResponse,
  CallResponse,
  KeyResponse,
  RuleResponse,
  RunGrantExchangeResponse,
  RunGrantResponse,
  RunGrantsResponse,
} from '@platform/contracts';
import { newUuid } from '@platform/platform';
import { until, withJobs, type TestClient } from '@platform/testing';
import { fireQueue } from '../automations/firing/firing.jobs.js';
import { RuleFiringService } from '../automations/firing/rule-firing.service.js';
import { createApp, newAppId, tool } from '../testing/apps.js';
import { DeployTest, documentOf, type TestDeveloper } from '../testing/deploy-test.js';
import { createRunGrant } from '../testing/run-grants.js';
import { FakeRunHost, SUCCESS } from '../testing/fake-run-host.js';
import { createTenant } from '../testing/tenants.js';

/**
 * Deploys of an app for its user, and their permissions after the app has lost the user's
 * permission.
 */
let host: FakeRunHost;
let test: DeployTest;
let asHost: TestClient;
/** Develops drafts and has installed `app`. */
let ada: TestDeveloper;
/** Has permission to deploy for its users. */
let app: string;
/** A draft of Ada, deployed by a run of the app. */
let draft: string;
const SCOPES = ['apps:write', 'automations:write', 'developer:call'];
beforeAll(async () => {
  jest.spyOn(fireQueue, 'backoff').mockReturnValue(1);
  host = await FakeRunHost.start();
  test = await DeployTest.start({ WORKERS: 'inline', EXT_WEBHOOK_HOST_URL: host.url }); // a rule's job waits for the jobs of a deploy
  asHost = test.gateway.backend();
});
beforeEach(async () => {
  host.answer = () => SUCCESS;
  ada = await test.developer();
  await test.query("UPDATE users SET role = 'admin' WHERE id = $1", [ada.user.id]);
  ada.client = await test.gateway.signIn(ada.user);
  app = await appThatDeploys();
  draft = await test.app(ada);
  await deployBy(app, draft);
});
afterAll(async () => {
  await test.stop();
  await host.stop();
});

let revision = 6_000_000;
const install = (appId: string) =>
  test.query(
    `INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at, granted_scopes)
     SELECT u.id, $2, u.tenant_id, $3, now(), v.requested_scopes
     FROM users u, app_versions v JOIN apps a ON a.app_id = v.app_id AND a.served_version = v.version WHERE u.id = $1 AND a.app_id = $2
     ON CONFLICT (user_id, app_id) DO UPDATE SET removed_at = NULL, granted_scopes = excluded.granted_scopes`,
    [ada.user.id, appId, ++revision],
  );
const uninstall = (appId: string) =>
  test.query("UPDATE installs SET removed_at = now(), granted_scopes = '{}' WHERE app_id = $1 AND user_id = $2", [
    appId,
    ada.user.id,
  ]);
async function appThatDeploys(more: string[] = []): Promise<string> {
  const appId = newAppId();
  await createApp(test.gateway, {
    app_id: appId,
    document: {},
    tools: [tool('start', { required_scopes: [...SCOPES, ...more] })],
  });
  await install(appId);
  return appId;
}
const documentFor = (appId: string) => {
  const { steps, ...document } = documentOf(appId, '1.0.0');
  const nothing = [{ id: 'now', kind: 'transform', action: 'now', params: {} }];
  return {
    ...document,
    capabilities: ['apps:write', 'automations:write', 'developer:call'],
    steps: [
      ...steps,
      { id: 'nightly', kind: 'schedule', action: 'nightly', params: { cron: '0 3 * * *', steps: nothing } },
      { id: 'heard', kind: 'event', action: `${appId}.made`, params: { steps: nothing } },
      { id: 'hook', kind: 'webhook', action: 'hook', params: { steps: nothing } },
    ],
  };
};
const callAs = async (grant: string, name: string, params: object, appId = 'developer') =>
  withJobs(asHost.post<CallResponse>(`/v1/internal/extensions/${appId}/call`, { grant, function: name, params }));
/** Deploys in a run of `by` for Ada, or in the run of this grant. */
async function deployBy(by: string, appId: string, grant?: string): Promise<void> {
  const ofRun = grant ?? (await createRunGrant(test.gateway.service, by, { userId: ada.user.id, scopes: SCOPES }));
  const { body } = await callAs(ofRun, 'deploy_ir', { app_id: appId, ir_dict: documentFor(appId) });
  expect(body).toMatchObject({ status: 'success', error: null });
  await until(
    async () =>
      (await test.query('SELECT FROM apps WHERE app_id = $1 AND served_version IS NOT NULL', [appId])).length > 0,
  );
}
const inPerson = async (appId: string) =>
  expect(await test.deployAndWait(ada, appId, { version: '1.0.0' })).toMatchObject({ status: 'success' });
const narrowingOf = async (appId: string) =>
  (await test.query<{ narrowing: object | null }>('SELECT narrowing FROM app_versions WHERE app_id = $1', [appId]))[0]
    ?.narrowing;

async function begin(
  appId: string,
  kind: string,
  handler: string,
  more: object = {},
): Promise<RunGrantResponse | null> {
  const [version] = await test.query<object>(
    "SELECT app_id, version, encode(sha256, 'hex') AS sha256 FROM app_versions WHERE app_id = $1",
    [appId],
  );
  const { body } = await asHost.post<RunGrantsResponse>('/v1/internal/run-grants', {
    runs: [{ ...version, kind, handler, ...more }],
  });
  return body.grants[0] ?? null;
}
/** Permissions of the draft's schedule for Ada; undefined if there are none. */
async function asDeveloper(appId = draft): Promise<RunGrantExchangeResponse['grants'][number] | undefined> {
  const given = await begin(appId, 'schedule', 'nightly');
  if (!given) return undefined;
  const exchanged = { grant: given.grant, user_ids: [ada.user.id] };
  return (await asHost.post<RunGrantExchangeResponse>('/v1/internal/run-grants/exchange', exchanged)).body.grants[0];
}
const make = (grant: string) =>
  callAs(grant, 'create_automation', { prompt: 'every day at 09:00: message "still here"' }, 'automations');
const publish = (grant: string, id = newUuid()) =>
  asHost.post('/v1/internal/events', {
    grant,
    event_id: id,
    type: `${draft}.made`,
    data: {},
    timestamp: new Date().toISOString(),
  });
const call = (appId = draft) =>
  ada.client.post<CallResponse>(`/v1/extensions/${appId}/call`, {
    user_id: ada.user.id,
    function: 'greet',
    params: { name: 'Ada' },
  });
const stoppedReason = async () =>
  (await ada.client.get<AppDetailResponse>(`/v1/developer/apps/${draft}`)).body.stopped_reason;
const revisionOf = async (appId = draft) =>
  Number(
    (await test.query<{ revision: string }>('SELECT revision FROM app_runtime_changes WHERE app_id = $1', [appId]))[0]
      ?.revision,
  );
/**
 * True if the next change after `after` tells the host that the draft is suspended; undefined if
 * there is no change.
 */
async function toldOf(after: number): Promise<boolean | undefined> {
  const path = `/v1/internal/app-runtimes?after=${after}&limit=100`;
  const { body } = await asHost.get<{ items: { app_id: string; runtime: { is_suspended: boolean } }[] }>(path);
  return body.items.find(({ app_id }) => app_id === draft)?.runtime.is_suspended;
}
const contentOf = (text: string) => JSON.parse(Buffer.from(text.split('.')[2] ?? '', 'base64url').toString()) as object;
const GONE = { status: 403, body: { code: 'run_grant.refused' } };

const setStatus = (status: string) => async () => {
  await test.query('UPDATE apps SET status = $2 WHERE app_id = $1', [app, status]);
};
const ENDS: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
  ['is uninstalled', () => uninstall(app), () => install(app)],
  ['is suspended', setStatus('suspended'), setStatus('active')],
  ['is no longer published', setStatus('draft'), setStatus('active')],
  [
    'is disabled by its user',
    () => test.query('INSERT INTO disabled_extensions (user_id, app_id) VALUES ($1, $2)', [ada.user.id, app]),
    () => test.query('DELETE FROM disabled_extensions WHERE app_id = $1', [app]),
  ],
  [
    'is closed to the role of its user',
    () =>
      test.query(
        "INSERT INTO access_policies (tenant_id, app_id, mode, denied_roles) VALUES ('default', $1, 'public', '{admin}')",
        [app],
      ),
    () => test.query('DELETE FROM access_policies WHERE app_id = $1', [app]),
  ],
];

describe('what an app has deployed for its user', () => {
  it.each(ENDS)('does nothing more once the app %s, and again once it may act', async (_what, end, undo) => {
    expect(await narrowingOf(draft)).toEqual({ scopes: SCOPES, key: null, apps: [app] });
    const before = await asDeveloper();
    expect(before?.scopes).toEqual(SCOPES);
    const grant = before?.grant ?? '';
    const event = newUuid();
    expect((await publish(grant, event)).status).toBe(204);
    expect(await begin(draft, 'event', `${draft}.made`, { event_id: event })).not.toBeNull();
    expect([await stoppedReason(), (await call()).status]).toEqual([null, 200]);
    const known = await revisionOf();

    await end();

    expect(await toldOf(known)).toBe(true);
    expect(await make(grant)).toMatchObject(GONE);
    expect(await publish(grant)).toMatchObject(GONE);
    expect([await begin(draft, 'schedule', 'nightly'), await begin(draft, 'webhook', 'hook')]).toEqual([null, null]);
    expect(await begin(draft, 'event', `${draft}.made`, { event_id: event })).toBeNull();
    expect(await call()).toMatchObject({ status: 403, body: { code: 'extension.app_gone' } });
    expect(await stoppedReason()).toContain('Sign in and deploy it again');
    const stopped = await revisionOf();

    await undo();
    expect([await toldOf(stopped), (await asDeveloper())?.scopes]).toEqual([false, SCOPES]);

    // Deployed in person, the draft keeps the developer's permissions after the app is removed.
    await inPerson(draft);
    expect(await narrowingOf(draft)).toBeNull();
    await end();
    expect((await asDeveloper())?.scopes).toEqual(SCOPES);
    expect([(await call()).status, await stoppedReason()]).toEqual([200, null]);
  });

  it('does nothing more once the app is deleted', async () => {
    const known = await revisionOf();
    await test.query('DELETE FROM apps WHERE app_id = $1', [app]);
    expect([await toldOf(known), await asDeveloper()]).toEqual([true, undefined]);
  });

  it('does nothing more once its developer gets a role that the app is closed to', async () => {
    const known = await revisionOf();
    const rule =
      "INSERT INTO access_policies (tenant_id, app_id, mode, denied_roles) VALUES ('default', $1, 'public', '{user}')";
    await test.query(rule, [app]);
    expect([(await asDeveloper())?.scopes, await toldOf(known)]).toEqual([SCOPES, false]);
    const before = await revisionOf();
    await test.query("UPDATE users SET role = 'user' WHERE id = $1", [ada.user.id]);
    expect([await asDeveloper(), await toldOf(before)]).toEqual([undefined, true]);
  });

  it('does nothing more once the API key is gone that alone had installed the app', async () => {
    const key = (await ada.client.post<KeyResponse>('/v1/keys', { name: 'installs', scopes: '*' })).body.id;
    await test.query('UPDATE installs SET granted_by = $2, granted_in_person = NULL WHERE app_id = $1', [
      app,
      JSON.stringify({ id: key, scopes: ['*'] }),
    ]);
    expect((await asDeveloper())?.scopes).toEqual(SCOPES);
    const known = await revisionOf();
    expect((await ada.client.delete(`/v1/keys/${key}`)).status).toBe(200);
    expect([await asDeveloper(), await toldOf(known)]).toEqual([undefined, true]);
    const stopped = await revisionOf();
    await test.query('UPDATE installs SET granted_by = NULL WHERE app_id = $1', [app]);
    expect([(await asDeveloper())?.scopes, await toldOf(stopped)]).toEqual([SCOPES, false]);
  });

  it('has no more than its developer grants the app now, also where an API key granted the rest', async () => {
    const grant = (await asDeveloper())?.grant ?? '';
    const granted = (changes: string) => test.query(`UPDATE installs SET ${changes} WHERE app_id = $1`, [app]);
    const key = (await ada.client.post<KeyResponse>('/v1/keys', { name: 'grants', scopes: '*' })).body.id;
    await granted(`granted_by = '{"id": "${key}", "scopes": ["*"]}', granted_in_person = '{apps:write}'`);
    expect((await asDeveloper())?.scopes).toEqual(SCOPES);
    expect((await ada.client.delete(`/v1/keys/${key}`)).status).toBe(200);
    expect((await asDeveloper())?.scopes).toEqual(['apps:write']);
    expect((await make(grant)).body).toMatchObject({ status: 'error', error_code: 'PERMISSION_DENIED' });
    await call();
    expect(contentOf(host.runs.at(-1)?.grant ?? '')).toMatchObject({
      appId: draft,
      scopes: ['apps:write'],
      narrowing: ['apps:write'],
    });
    await granted("granted_by = NULL, granted_scopes = '{automations:write}'");
    expect((await asDeveloper())?.scopes).toEqual(['automations:write']);
    await inPerson(draft);
    expect((await asDeveloper())?.scopes).toEqual(SCOPES);
  });

  it('acts for its developer no more once they lack a scope that their tenant asks for of the app', async () => {
    const rule =
      "INSERT INTO access_policies (tenant_id, app_id, mode, required_scopes) VALUES ('default', $1, 'restricted', '{users:read}')";
    await test.query(rule, [app]);
    const grant = (await asDeveloper())?.grant ?? '';
    expect((await make(grant)).body).toMatchObject({ status: 'success' });
    await test.query(
      "UPDATE users SET role = 'user', scopes = '{apps:write,automations:write,developer:call}' WHERE id = $1",
      [ada.user.id],
    );
    expect(await asDeveloper()).toBeUndefined();
    expect(await make(grant)).toMatchObject(GONE);
    expect(await call()).toMatchObject({ status: 403, body: { code: 'extension.app_gone' } });
  });

  it('does nothing more once one of several apps that led to it may not act', async () => {
    const first = await appThatDeploys([`${app}:read`]);
    const grant = await createRunGrant(test.gateway.service, first, {
      userId: ada.user.id,
      scopes: [...SCOPES, `${app}:read`],
    });
    const own = await test.app(ada);
    host.answer = async ({ grant: ofSecond }) => {
      await deployBy(app, own, ofSecond);
      return SUCCESS;
    };
    expect((await callAs(grant, 'start', {}, app)).body).toMatchObject({ status: 'success' });
    expect(await narrowingOf(own)).toMatchObject({ apps: [first, app].sort() });
    expect((await asDeveloper(own))?.scopes).toEqual(SCOPES);
    for (const one of [first, app]) {
      await uninstall(one);
      expect(await asDeveloper(own)).toBeUndefined();
      await install(one);
      expect(await asDeveloper(own)).toBeDefined();
    }
  });

  it('deploys nothing that outlives the app, and no rule', async () => {
    const own = await test.app(ada);
    const grant = (await asDeveloper())?.grant ?? '';
    await deployBy(draft, own, grant);
    expect(await narrowingOf(own)).toMatchObject({ apps: [app, draft].sort() });
    expect((await asDeveloper(own))?.scopes).toEqual(SCOPES);
    const { data } = (await make(grant)).body;
    await uninstall(app);
    expect(await asDeveloper(own)).toBeUndefined();
    const { id } = data as RuleResponse;
    await test.query("UPDATE automation_rules SET next_at = now() - interval '1 minute' WHERE id = $1", [id]);
    await test.gateway.service.app.get(RuleFiringService).fireDueSchedules();
    const failed = await until(
      async () =>
        (await test.query('SELECT last_error FROM automation_rules WHERE id = $1 AND fail_count = 1', [id]))[0],
    );
    expect(failed).toMatchObject({ last_error: expect.stringContaining('cannot act for you') });
    expect(
      await test.query('SELECT FROM notifications WHERE user_id = $1 AND message LIKE $2', [
        ada.user.id,
        'still here%',
      ]),
    ).toEqual([]);
  });

  it('leaves no rule behind that outlives one of several apps, also once the draft is its developer’s', async () => {
    const { data } = (await make((await asDeveloper())?.grant ?? '')).body;
    const { id } = data as RuleResponse;
    const ofRule = () => test.query('SELECT made_by_app, other_apps FROM automation_rules WHERE id = $1', [id]);
    expect(await ofRule()).toEqual([{ made_by_app: draft, other_apps: [app] }]);
    await inPerson(draft);
    const fires = async (column: string, count: number) => {
      await test.query(
        "UPDATE automation_rules SET next_at = now() - interval '1 minute', last_triggered = NULL WHERE id = $1",
        [id],
      );
      await test.gateway.service.app.get(RuleFiringService).fireDueSchedules();
      const found = `SELECT last_error FROM automation_rules WHERE id = $1 AND ${column} = $2`;
      return until(async () => (await test.query<{ last_error: string | null }>(found, [id, count]))[0]);
    };
    expect((await fires('success_count', 1)).last_error).toBeNull();
    await uninstall(app);
    expect((await fires('fail_count', 1)).last_error).toContain('An app that led to this automation');
    // A change of the trigger by another app adds this app and keeps the earlier ones.
    const other = await appThatDeploys();
    const grant = await createRunGrant(test.gateway.service, other, { userId: ada.user.id, scopes: SCOPES });
    const when = { rule_id: id, trigger_filter: { event_type: 'notes.created' } };
    expect((await callAs(grant, 'update_automation', when, 'automations')).body).toMatchObject({ error: null });
    expect(await ofRule()).toEqual([{ made_by_app: other, other_apps: [app, draft].sort() }]);
    // A change of the actions by the owner in person removes all apps from the rule.
    const asked = {
      user_id: ada.user.id,
      function: 'update_automation',
      params: { rule_id: id, prompt: 'every day at 09:00: message "mine"' },
    };
    expect((await ada.client.post<CallResponse>('/v1/extensions/automations/call', asked)).body.error).toBeNull();
    expect(await ofRule()).toEqual([{ made_by_app: null, other_apps: [] }]);
    expect((await fires('success_count', 2)).last_error).toBeNull();
  });

  it('leaves no rule behind by which something is deployed that outlives one of several apps', async () => {
    const first = await appThatDeploys([`${app}:read`]);
    const own = await test.app(ada);
    const deploy = { app_id: 'developer', tool: 'deploy_ir', args: { app_id: own, ir_dict: documentFor(own) } };
    host.answer = async ({ grant: ofSecond }) => {
      const trigger_filter = { event_type: 'notes.created' };
      const rule = { trigger_filter, actions: [deploy], cooldown_seconds: 0, notify_mode: 'off' };
      expect((await callAs(ofSecond, 'create_automation', rule, 'automations')).body).toMatchObject({ error: null });
      return SUCCESS;
    };
    const grant = await createRunGrant(test.gateway.service, first, {
      userId: ada.user.id,
      scopes: [...SCOPES, `${app}:read`],
    });
    expect((await callAs(grant, 'start', {}, app)).body).toMatchObject({ status: 'success' });
    const plain = {
      source: 'notes',
      data: {},
      hop: 0,
      scopes: null,
      key: null,
      apps: null,
      type: 'notes.created',
      tenantId: 'default',
    };
    await test.gateway.service.app
      .get(RuleFiringService)
      .onEvent({ ...plain, userId: ada.user.id, id: newUuid(), at: new Date() });
    await until(
      async () =>
        (await test.query('SELECT FROM apps WHERE app_id = $1 AND served_version IS NOT NULL', [own])).length > 0,
    );
    expect(await narrowingOf(own)).toMatchObject({ apps: [first, app].sort() });
    expect((await asDeveloper(own))?.scopes).toEqual(SCOPES);
    await uninstall(first);
    expect(await asDeveloper(own)).toBeUndefined();
  });

  it('causes nothing more by its events, in other apps and in rules', async () => {
    const other = newAppId();
    const type = `${draft}.made`;
    await createApp(test.gateway, { app_id: other, document: { app: { events: { subscribes: [{ type }] } } } });
    await install(other);
    const rule = {
      trigger_filter: { event_type: 'notes.created' },
      actions: [{ message: 'Heard' }],
      cooldown_seconds: 0,
      notify_mode: 'off',
    };
    const asked = { user_id: ada.user.id, function: 'create_automation', params: rule };
    const { body } = await ada.client.post<CallResponse>('/v1/extensions/automations/call', asked);
    expect(body.error).toBeNull();
    const made = body.data as RuleResponse;
    await test.query('UPDATE automation_rules SET event_type = $2 WHERE id = $1', [made.id, type]);
    const event_id = newUuid();
    expect((await publish((await asDeveloper())?.grant ?? '', event_id)).status).toBe(204);
    const counted = (column: string) => async () =>
      (await test.query(`SELECT last_error FROM automation_rules WHERE id = $1 AND ${column} = 1`, [made.id]))[0];
    await until(counted('success_count'));
    expect(await test.query('SELECT apps FROM automation_fires WHERE rule_id = $1', [made.id])).toEqual([
      { apps: [app] },
    ]);
    expect(await begin(other, 'event', type, { event_id })).not.toBeNull();

    await uninstall(app);

    expect(await begin(other, 'event', type, { event_id })).toBeNull();
    const plain = {
      source: draft,
      data: {},
      hop: 0,
      scopes: SCOPES,
      key: null,
      apps: [app],
      type,
      tenantId: 'default',
    };
    await test.gateway.service.app
      .get(RuleFiringService)
      .onEvent({ ...plain, userId: ada.user.id, id: newUuid(), at: new Date() });
    expect(await until(counted('fail_count'))).toMatchObject({
      last_error: expect.stringContaining('An app that led to the event'),
    });
  });

  it('is its users’ once it is published, and stops when it is taken out of the marketplace', async () => {
    await test.query("UPDATE apps SET status = 'active', published_at = now() WHERE app_id = $1", [draft]);
    await install(draft);
    await uninstall(app);
    expect((await asDeveloper())?.scopes).toEqual(SCOPES);
    expect(await begin(draft, 'webhook', 'hook')).not.toBeNull();
    expect((await asHost.post(`/v1/admin/apps/${draft}/status`, { status: 'draft' })).status).toBe(200);
    expect([await asDeveloper(), await begin(draft, 'webhook', 'hook')]).toEqual([undefined, null]);
  });

  it('is the next app’s that deploys it', async () => {
    const next = await appThatDeploys();
    await uninstall(app);
    expect(await asDeveloper()).toBeUndefined();
    const known = await revisionOf();
    await deployBy(next, draft);
    await until(async () => ((await narrowingOf(draft)) as { apps: string[] }).apps.includes(next));
    expect(await narrowingOf(draft)).toMatchObject({ apps: [next] });
    expect([(await asDeveloper())?.scopes, await toldOf(known)]).toEqual([SCOPES, false]);
  });
});

describe('what an app takes out of the marketplace', () => {
  it('does nothing more once that app may not act', async () => {
    await inPerson(draft);
    await test.query("UPDATE apps SET status = 'active', published_at = now() WHERE app_id = $1", [draft]);
    const grant = await createRunGrant(test.gateway.service, app, { userId: ada.user.id, scopes: SCOPES });
    expect((await callAs(grant, 'suspend_app', { app_id: draft })).body).toMatchObject({ status: 'success' });
    expect((await ada.client.post(`/v1/developer/apps/${draft}/submit`, {})).status).toBe(200);
    expect((await asDeveloper())?.scopes).toEqual(SCOPES);
    await uninstall(app);
    expect(await asDeveloper()).toBeUndefined();
    await inPerson(draft);
    expect((await asDeveloper())?.scopes).toEqual(SCOPES);
  });
});

describe('what is told of drafts', () => {
  /** A draft that the same app deployed for a user of another tenant. */
  let elsewhere: string;
  let adminElsewhere: TestClient;
  /** Two more drafts of Ada: one deployed by another app, and one by herself. */
  let byOther: string;
  let own: string;
  beforeEach(async () => {
    byOther = await test.app(ada);
    await deployBy(await appThatDeploys(), byOther);
    own = await test.app(ada);
    await inPerson(own);
    const { id: tenant_id } = await createTenant(asHost);
    const user = await test.gateway.user({ tenant_id, role: 'admin' });
    await test.query("INSERT INTO developers (user_id, display_name, tier) VALUES ($1, 'Bob', 'partner')", [user.id]);
    adminElsewhere = await test.gateway.signIn(user);
    const bob = { user, client: adminElsewhere };
    elsewhere = await test.app(bob);
    expect(await test.deployAndWait(bob, elsewhere, { version: '1.0.0' })).toMatchObject({ status: 'success' });
    const narrowing = JSON.stringify({ scopes: SCOPES, key: null, apps: [app] });
    await test.query('UPDATE app_versions SET narrowing = $2 WHERE app_id = $1', [elsewhere, narrowing]);
  });
  /** Names of these drafts that `work` changes for the host. */
  async function toldBy(work: () => Promise<unknown>): Promise<string[]> {
    const drafts = Object.entries({ draft, byOther, own, elsewhere });
    const before = await Promise.all(drafts.map(([, id]) => revisionOf(id)));
    await work();
    const after = await Promise.all(drafts.map(([, id]) => revisionOf(id)));
    return drafts.filter((_draft, at) => before[at] !== after[at]).map(([name]) => name);
  }
  const rule =
    (body: object, as = ada.client) =>
    async () =>
      expect((await as.put(`/v1/extensions/${app}/access`, body)).status).toBe(200);
  const sql =
    (statement: string, ...values: unknown[]) =>
    () =>
      test.query(statement, values);

  it('is nothing of another tenant when an administrator says who of theirs may use the app', async () => {
    const denied = { mode: 'public', denied_roles: ['user'] };
    expect(await toldBy(rule({ mode: 'public' }, adminElsewhere))).toEqual([]);
    expect(await toldBy(rule(denied, adminElsewhere))).toEqual(['elsewhere']);
    expect(await toldBy(rule(denied))).toEqual(['draft']);
    expect(await toldBy(sql('DELETE FROM access_policies WHERE app_id = $1', app))).toEqual(['draft', 'elsewhere']);
  });

  it('is nothing when a rule denies whom it denied, and only of whom it denies by name', async () => {
    const { id: other } = await test.gateway.user();
    const roles = { mode: 'public', denied_roles: ['user', 'admin'] };
    expect(await toldBy(rule(roles))).toEqual(['draft']);
    expect(await asDeveloper()).toBeUndefined();
    expect(await toldBy(rule(roles))).toEqual([]);
    expect(await toldBy(rule({ ...roles, denied_roles: ['admin', 'user'] }))).toEqual([]);
    expect(await toldBy(rule({ ...roles, mode: 'restricted', required_scopes: ['users:read'] }))).toEqual([]);
    expect(await toldBy(rule({ mode: 'public' }))).toEqual(['draft']);
    expect(await toldBy(rule({ mode: 'public', denied_users: [other] }))).toEqual([]);
    expect(await toldBy(rule({ mode: 'public', denied_users: [other, ada.user.id] }))).toEqual(['draft']);
    expect(await asDeveloper()).toBeUndefined();
    expect(await toldBy(rule({ mode: 'public', denied_users: [ada.user.id] }))).toEqual([]);
    expect(await toldBy(rule({ mode: 'public' }))).toEqual(['draft']);
    expect((await asDeveloper())?.scopes).toEqual(SCOPES);
  });

  it('is of what the app led to for the user who has it, and only when that changes', async () => {
    const installs = (changes: string) =>
      sql(`UPDATE installs SET ${changes} WHERE app_id = $1 AND user_id = $2`, app, ada.user.id);
    expect(await toldBy(installs('revision = revision + 1'))).toEqual([]);
    expect(await toldBy(installs("granted_scopes = '{apps:write}'"))).toEqual([]);
    expect(await toldBy(() => uninstall(app))).toEqual(['draft']);
    expect(await toldBy(() => uninstall(app))).toEqual([]);
    expect(await toldBy(() => install(app))).toEqual(['draft']);
    expect(
      await toldBy(sql('INSERT INTO disabled_extensions (user_id, app_id) VALUES ($1, $2)', ada.user.id, app)),
    ).toEqual(['draft']);
    expect(await toldBy(sql('DELETE FROM disabled_extensions WHERE app_id = $1', app))).toEqual(['draft']);
  });

  it('is of what apps led to when the role of its developer changes, and of the apps that a key installed when the key ends', async () => {
    const keys = await Promise.all(
      ['installs', 'does nothing'].map(
        async (name) => (await ada.client.post<KeyResponse>('/v1/keys', { name, scopes: '*' })).body.id,
      ),
    );
    const given = JSON.stringify({ id: keys[0], scopes: ['*'] });
    expect(await toldBy(sql('UPDATE installs SET granted_by = $2 WHERE app_id = $1', app, given))).toEqual(['draft']);
    const deleted = (key?: string) => async () => expect((await ada.client.delete(`/v1/keys/${key}`)).status).toBe(200);
    expect(await toldBy(deleted(keys[1]))).toEqual([]);
    expect(await toldBy(deleted(keys[0]))).toEqual(['draft']);
    expect(await toldBy(sql("UPDATE users SET role = 'user' WHERE id = $1", ada.user.id))).toEqual([
      'draft',
      'byOther',
    ]);
  });

  it('is of everybody’s when the app is published no more, and then of its developer’s alone', async () => {
    const status = (name: string) => sql('UPDATE apps SET status = $2 WHERE app_id = $1', app, name);
    const all = ['draft', 'elsewhere'];
    expect(
      await toldBy(sql('UPDATE apps SET stopped_by_platform = NOT stopped_by_platform WHERE app_id = $1', app)),
    ).toEqual([]);
    expect(
      await toldBy(sql('UPDATE apps SET stopped_by_platform = NOT stopped_by_platform WHERE app_id = $1', app)),
    ).toEqual([]);
    expect(await toldBy(status('suspended'))).toEqual(all);
    expect(await toldBy(status('active'))).toEqual(all);
    expect(await toldBy(status('draft'))).toEqual(all);
    const owner = (id: string) => sql('UPDATE apps SET developer_id = $2 WHERE app_id = $1', app, id);
    expect(await toldBy(owner(ada.user.id))).toEqual(['draft']);
    expect(await asDeveloper()).toBeDefined();
    expect(await toldBy(sql('UPDATE apps SET stopped_by_platform = true WHERE app_id = $1', app))).toEqual(['draft']);
    expect(await asDeveloper()).toBeUndefined();
    expect(await toldBy(status('suspended'))).toEqual([]);
  });

  it('is of the draft alone whose key is gone, or that is deployed anew', async () => {
    const key = (await ada.client.post<KeyResponse>('/v1/keys', { name: 'deploys', scopes: '*' })).body.id;
    const narrowing = JSON.stringify({ scopes: SCOPES, key: { id: key, scopes: ['*'] } });
    expect(await toldBy(sql('UPDATE app_versions SET narrowing = $2 WHERE app_id = $1', own, narrowing))).toEqual([
      'own',
    ]);
    expect(await toldBy(() => ada.client.delete(`/v1/keys/${key}`))).toEqual(['own']);
  });
});
