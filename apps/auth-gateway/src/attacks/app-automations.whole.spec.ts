import type { CallResponse, KeyResponse, RuleResponse } from '@platform/contracts';
import { newUuid } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import { RuleDefinitionsService } from '../automations/definitions/rule-definitions.service.js';
import type { PlatformEvent } from '../extensions/events/platform-events.service.js';
import { RuleFiringService } from '../automations/firing/rule-firing.service.js';
import { fireQueue } from '../automations/firing/firing.jobs.js';
import type { RunGrant } from '../extensions/run-grants/run-grant.js';
import { createApp, newAppId, tool } from '../testing/apps.js';
import { DeployTest, documentOf, type TestDeveloper } from '../testing/deploy-test.js';
import type { TestUser } from '../testing/gateway-test.js';
import { createRunGrant } from '../testing/run-grants.js';
import { FakeRunHost, SUCCESS } from '../testing/fake-run-host.js';

/**
 * Rules that an app writes for its user, and their access to the other apps of an administrator.
 */
let host: FakeRunHost;
let test: DeployTest;
let asHost: TestClient;
/** An administrator with the apps `app` and `bank`. */
let ada: TestDeveloper;
/** Requests the scopes of automations and read access to `bank`. */
let app: string;
let bank: string;
/** Grant of a run of `app` for Ada. */
let grant: string;
const SCOPES = ['automations:read', 'automations:write'];
beforeAll(async () => {
  jest.spyOn(fireQueue, 'backoff').mockReturnValue(1);
  host = await FakeRunHost.start();
  test = await DeployTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
  asHost = test.gateway.backend();
});
beforeEach(async () => {
  host.answer = () => SUCCESS;
  ada = await test.developer();
  await test.query("UPDATE users SET role = 'admin' WHERE id = $1", [ada.user.id]);
  ada.client = await test.gateway.signIn(ada.user);
  [app, bank] = [newAppId(), newAppId()];
  await createApp(test.gateway, {
    app_id: bank,
    document: {},
    tools: [tool('pay', { action_type: 'write' }), tool('see')],
  });
  await createApp(test.gateway, {
    app_id: app,
    document: {},
    tools: [tool('start', { required_scopes: [...SCOPES, `${bank}:read`] })],
  });
  for (const appId of [bank, app]) await install(ada.user, appId);
  grant = await createRunGrant(test.gateway.service, app, { userId: ada.user.id, scopes: [...SCOPES, `${bank}:read`] });
});
afterAll(async () => {
  await test.stop();
  await host.stop();
});

let revision = 5_000_000;
const install = (user: TestUser, appId: string) =>
  test.query(
    `INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at, granted_scopes)
     SELECT u.id, $2, u.tenant_id, $3, now(), v.requested_scopes
     FROM users u, app_versions v JOIN apps a ON a.app_id = v.app_id AND a.served_version = v.version WHERE u.id = $1 AND a.app_id = $2`,
    [user.id, appId, ++revision],
  );
const call = async (name: string, params: object, appId = 'automations') =>
  (await asHost.post<CallResponse>(`/v1/internal/extensions/${appId}/call`, { grant, function: name, params })).body;
const inPerson = async (name: string, params: object) =>
  (
    await ada.client.post<CallResponse>('/v1/extensions/automations/call', {
      user_id: ada.user.id,
      function: name,
      params,
    })
  ).body;
const doing = (...actions: object[]) => ({
  trigger_filter: { event_type: 'notes.created' },
  actions,
  cooldown_seconds: 0,
  notify_mode: 'off',
});
const pay = () => ({ app_id: bank, tool: 'pay', args: {} });
const see = () => ({ app_id: bank, tool: 'see', args: {} });
const made = (answer: CallResponse): number => {
  expect(answer.error).toBeNull();
  return (answer.data as RuleResponse).id;
};
const stored = async (id: number) =>
  (await test.query<Record<string, unknown>>('SELECT * FROM automation_rules WHERE id = $1', [id]))[0];
/** Fires the rules of Ada. Returns the functions of `bank` that ran, with their grants. */
async function fire(ofEvent: Partial<PlatformEvent> = {}): Promise<{ name: string; grant: RunGrant }[]> {
  const before = host.runs.length;
  const plain = { source: 'notes', data: {}, hop: 0, scopes: null, key: null, apps: null };
  const about = { type: 'notes.created', tenantId: 'default', userId: ada.user.id };
  await test.gateway.service.app
    .get(RuleFiringService)
    .onEvent({ ...plain, ...about, ...ofEvent, id: newUuid(), at: new Date() });
  await until(async () => !(await test.query("SELECT FROM outbox WHERE queue = 'automation-fires'")).length);
  const ran = host.runs.slice(before).filter(({ app_id }) => app_id === bank);
  return ran.map((run) => ({ name: run.function, grant: contentOf(run.grant) }));
}
const contentOf = (text: string) =>
  JSON.parse(Buffer.from(text.split('.')[2] ?? '', 'base64url').toString()) as RunGrant;
const REFUSED = { status: 'error', error: expect.stringContaining('A call from another app needs') as string };
const BEYOND = { status: 'error', error_code: 'AUTOMATION_BEYOND_KEY' };

describe('a rule that an app writes', () => {
  it('calls nothing that the app may not call itself: neither other apps nor the developer’s tools', async () => {
    const own = await test.app(ada);
    const deploy = { app_id: 'developer', tool: 'deploy_ir', args: { app_id: own, ir_dict: documentOf(own, '6.6.6') } };
    for (const action of [pay(), deploy]) {
      expect(await call('create_automation', doing(action))).toMatchObject(REFUSED);
      expect(await call('create_automation', { prompt: `every day at 09:00: call ${bank}.pay` })).toMatchObject(
        REFUSED,
      );
    }
    const id = made(await call('create_automation', doing({ message: 'Hello' })));
    expect(await call('update_automation', { rule_id: id, actions: [pay()] })).toMatchObject(REFUSED);
    expect(await stored(id)).toMatchObject({ made_by_app: app, actions: [{ message: 'Hello' }] });
  });

  it('calls what was exposed to the app, with no more scopes, and messages its user', async () => {
    const id = made(await call('create_automation', doing({ message: 'Hello' }, see())));
    const runs = await fire();
    expect(runs).toMatchObject([
      { name: 'see', grant: { userId: ada.user.id, narrowing: [...SCOPES, `${bank}:read`].sort() } },
    ]);
    expect(await stored(id)).toMatchObject({ success_count: 1 });
    const told = await test.query('SELECT FROM notifications WHERE user_id = $1', [ada.user.id]);
    expect(told).toHaveLength(1);
  });

  it('is judged anew when it runs: by the app, its scopes, and what is exposed to it by then', async () => {
    const id = made(await call('create_automation', doing(see())));
    // A stored rule, without the check when it is written.
    await test.query('UPDATE automation_rules SET actions = $2 WHERE id = $1', [id, JSON.stringify([pay()])]);
    expect(await fire()).toEqual([]);
    expect(await stored(id)).toMatchObject({ last_error: expect.stringContaining(`${bank}:write`) });
    await test.query('UPDATE automation_rules SET actions = $2 WHERE id = $1', [id, JSON.stringify([see()])]);
    await test.query("UPDATE installs SET granted_scopes = '{automations:write}' WHERE user_id = $1 AND app_id = $2", [
      ada.user.id,
      app,
    ]);
    expect(await fire()).toEqual([]);
    expect(await stored(id)).toMatchObject({ last_error: expect.stringContaining(`${bank}:read`) });
  });

  it.each([
    [
      'uninstalled',
      () => test.query("UPDATE installs SET removed_at = now(), granted_scopes = '{}' WHERE app_id = $1", [app]),
    ],
    [
      'disabled',
      () => test.query('INSERT INTO disabled_extensions (user_id, app_id) VALUES ($1, $2)', [ada.user.id, app]),
    ],
    [
      'closed to them',
      () =>
        test.query(
          "INSERT INTO access_policies (tenant_id, app_id, mode, denied_roles) VALUES ('default', $1, 'public', '{admin}')",
          [app],
        ),
    ],
    ['suspended', () => test.query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [app])],
  ])('ends when the app is %s, until its owner says what it does', async (_what, end) => {
    const id = made(await call('create_automation', doing({ message: 'Hello' }, see())));
    await end();
    expect(await fire()).toEqual([]);
    expect(await stored(id)).toMatchObject({
      last_error: expect.stringContaining('the app that made this automation'),
    });
    expect(await test.query('SELECT FROM notifications WHERE user_id = $1', [ada.user.id])).toEqual([]);
    // A change of the trigger keeps the rule limited by the app that has ended.
    expect(
      (await inPerson('update_automation', { rule_id: id, trigger_filter: { event_type: 'notes.created' } })).error,
    ).toBeNull();
    expect((await inPerson('resume_automation', { rule_id: id })).error).toBeNull();
    expect(await fire()).toEqual([]);
    expect((await inPerson('update_automation', { rule_id: id, actions: [pay()] })).error).toBeNull();
    expect(await stored(id)).toMatchObject({ made_by_app: null, scopes: ['*'] });
    expect(await fire()).toMatchObject([{ name: 'pay' }]);
  });
});

describe('a rule that several API keys led to', () => {
  const keys = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const { body } = await ada.client.post<KeyResponse>('/v1/keys', { name: 'program', scopes: '*' });
        return { id: body.id, as: test.gateway.client().withHeaders({ 'x-api-key': body.key }) };
      }),
    );
  const byRunOf = async (id: string, ...others: string[]) => {
    const run = {
      userId: ada.user.id,
      scopes: [...SCOPES, `${bank}:read`],
      narrowing: ['*'],
      key: { id, others, scopes: ['*'] },
    };
    grant = await createRunGrant(test.gateway.service, app, run);
  };
  const endsWith = async (rule: number, ...ids: string[]) => {
    for (const [at, id] of ids.entries()) {
      const setEnd = (end: Date | null) => test.query('UPDATE api_keys SET expires_at = $2 WHERE id = $1', [id, end]);
      await setEnd(new Date(0));
      expect([at, await fire()]).toEqual([at, []]);
      expect(await stored(rule)).toMatchObject({
        last_error: expect.stringContaining('key that made this automation'),
      });
      await setEnd(null);
      expect(await fire()).toHaveLength(1);
    }
  };

  it('of which an app wrote it in a run of two, ends with each of them', async () => {
    const [one, other] = (await keys(2)).map(({ id }) => id) as [string, string];
    await byRunOf(one, other);
    const id = made(await call('create_automation', doing(see())));
    await endsWith(id, one, other);
    await ada.client.delete(`/v1/keys/${other}`);
    expect(await fire()).toEqual([]);
  });

  it('of which an app changed it in a run of two, ends with each of them', async () => {
    const [one, other] = (await keys(2)).map(({ id }) => id) as [string, string];
    const id = made(await inPerson('create_automation', doing(pay())));
    await byRunOf(one, other);
    expect((await call('update_automation', { rule_id: id, actions: [see()] })).error).toBeNull();
    await endsWith(id, one, other);
  });

  it('of which one said what it does and another when, ends with each of them, and calls as the app that wrote it', async () => {
    const [writer, other] = (await keys(2)) as [{ id: string; as: TestClient }, { id: string; as: TestClient }];
    await byRunOf(writer.id);
    const id = made(await call('create_automation', doing(see())));
    const changed = await other.as.post<CallResponse>('/v1/extensions/automations/call', {
      user_id: ada.user.id,
      function: 'update_automation',
      params: { rule_id: id, trigger_filter: { event_type: 'notes.created' } },
    });
    expect(changed.body.error).toBeNull();
    expect(await stored(id)).toMatchObject({ made_by_app: app, api_key_id: writer.id, other_key_ids: [other.id] });
    await endsWith(id, writer.id, other.id);
    // The owner changes it in person.
    expect((await inPerson('update_automation', { rule_id: id, actions: [pay()] })).error).toBeNull();
    expect(await stored(id)).toMatchObject({
      made_by_app: null,
      api_key_id: null,
      other_key_ids: null,
      key_scopes: null,
    });
    for (const key of [writer, other]) await ada.client.delete(`/v1/keys/${key.id}`);
    expect(await fire()).toMatchObject([{ name: 'pay' }]);
  });
});

describe('a rule that one app had another write', () => {
  /** A rule that calls `app`. */
  let first: string;
  let id: number;
  const ofFirst = () => [...SCOPES, `${app}:read`, `${bank}:read`];
  const uninstall = (appId: string) =>
    test.query("UPDATE installs SET removed_at = now(), granted_scopes = '{}' WHERE app_id = $1", [appId]);
  const installAgain = (appId: string) =>
    test.query(
      `UPDATE installs i SET removed_at = NULL, granted_scopes = v.requested_scopes FROM app_versions v
       WHERE v.app_id = i.app_id AND i.app_id = $1`,
      [appId],
    );
  const failedFor = (text: string): unknown =>
    expect.objectContaining({ last_error: expect.stringContaining(text) as string });
  const messages = async () => (await test.query('SELECT FROM notifications WHERE user_id = $1', [ada.user.id])).length;
  beforeEach(async () => {
    first = newAppId();
    await createApp(test.gateway, {
      app_id: first,
      document: {},
      tools: [tool('start', { required_scopes: ofFirst() })],
    });
    await install(ada.user, first);
    let answer: CallResponse | undefined;
    host.answer = async ({ grant: ofSecond }) => {
      grant = ofSecond;
      answer = await call('create_automation', doing({ message: 'Hello' }, see()));
      return SUCCESS;
    };
    grant = await createRunGrant(test.gateway.service, first, { userId: ada.user.id, scopes: ofFirst() });
    expect(await call('start', {}, app)).toMatchObject({ status: 'success' });
    host.answer = () => SUCCESS;
    id = made(answer as CallResponse);
    expect(await stored(id)).toMatchObject({ made_by_app: app, other_apps: [first] });
  });

  it('ends with each of them, and what it calls follows from both', async () => {
    expect(await fire()).toMatchObject([
      { name: 'see', grant: { narrowing: [...SCOPES, `${bank}:read`].sort(), apps: [app, first].sort() } },
    ]);
    expect(await messages()).toBe(1);
    for (const [one, text] of [
      [first, `An app that led to this automation, ${first}, cannot act for you`],
      [app, `${app}, the app that made this automation, cannot act for you`],
    ] as const) {
      await uninstall(one);
      expect(await fire()).toEqual([]);
      expect(await stored(id)).toEqual(failedFor(text));
      await installAgain(one);
      expect(await fire()).toHaveLength(1);
    }
    expect(await messages()).toBe(3);
  });

  it('fails while a rule of the tenant asks for a scope of the other app that its user lacks', async () => {
    const rule =
      "INSERT INTO access_policies (tenant_id, app_id, mode, required_scopes) VALUES ('default', $1, 'restricted', '{users:read}')";
    await test.query(rule, [first]);
    expect(await fire()).toHaveLength(1);
    await test.query("UPDATE users SET role = 'user', scopes = $2 WHERE id = $1", [ada.user.id, ofFirst()]);
    expect(await fire()).toEqual([]);
    expect(await stored(id)).toEqual(
      failedFor(`An app that led to this automation, ${first}, cannot act for you: The tenant has closed`),
    );
    expect(await messages()).toBe(1);
    await test.query('UPDATE users SET scopes = $2 WHERE id = $1', [ada.user.id, [...ofFirst(), 'users:read']]);
    expect(await fire()).toHaveLength(1);
  });

  it('has no more than its user grants the other app by then', async () => {
    const granted = (scopes: string[]) =>
      test.query('UPDATE installs SET granted_scopes = $2 WHERE app_id = $1', [first, scopes]);
    await granted(['automations:write', `${bank}:read`]);
    const least = ['automations:write', `${bank}:read`].sort();
    expect(await fire()).toMatchObject([{ name: 'see', grant: { narrowing: least } }]);
    await granted(['automations:write']);
    expect(await fire()).toEqual([]);
    expect(await stored(id)).toEqual(failedFor(`${bank}:read`));
  });
});

describe('a rule that a person wrote, fired by an event to which an app led', () => {
  const ofApp = () => ({ scopes: [...SCOPES, `${bank}:read`], apps: [app] });
  let id: number;
  beforeEach(async () => {
    id = made(await inPerson('create_automation', doing(see())));
  });

  it('has no more than its user grants that app by then', async () => {
    expect(await fire(ofApp())).toMatchObject([
      { grant: { narrowing: [...SCOPES, `${bank}:read`].sort(), apps: [app] } },
    ]);
    await test.query("UPDATE installs SET granted_scopes = '{automations:write}' WHERE app_id = $1", [app]);
    expect(await fire(ofApp())).toMatchObject([{ grant: { narrowing: ['automations:write'], apps: [app] } }]);
    expect(await fire()).toMatchObject([{ grant: { narrowing: ['*'] } }]);
  });

  it('does nothing for it while a rule of the tenant closes that app to its user', async () => {
    const rule =
      "INSERT INTO access_policies (tenant_id, app_id, mode, required_scopes) VALUES ('default', $1, 'restricted', '{users:read}')";
    await test.query(rule, [app]);
    expect(await fire(ofApp())).toHaveLength(1);
    await test.query("UPDATE users SET role = 'user', scopes = $2 WHERE id = $1", [ada.user.id, SCOPES]);
    for (let time = 0; time < 6; time++) expect(await fire(ofApp())).toEqual([]);
    const why = `An app that led to the event, ${app}, cannot act for you: The tenant has closed`;
    expect(await stored(id)).toMatchObject({ status: 'active', last_error: expect.stringContaining(why) });
    expect(await fire()).toHaveLength(1);
  });
});

it('a rule of an app hears what its user installs and removes of that app alone; a rule that a person wrote hears of all', async () => {
  const waiting = { ...doing(see()), trigger_filter: { event_type: 'marketplace.app_installed' } };
  const ofApp = made(await call('create_automation', waiting));
  const fires = async (id: number) => (await stored(id))?.['trigger_count'];
  const about = (app_id: string) => ({ source: 'platform', type: 'marketplace.app_installed', data: { app_id } });
  expect(await fire(about(bank))).toEqual([]);
  expect(await fires(ofApp)).toBe(0);
  expect(await fire(about(app))).toHaveLength(1);
  expect(await fires(ofApp)).toBe(1);
  await test.query('UPDATE automation_rules SET other_apps = $2 WHERE id = $1', [ofApp, [bank]]);
  expect(await fire(about(app))).toEqual([]);
  expect(await fires(ofApp)).toBe(1);
  const ofPerson = made(await inPerson('create_automation', waiting));
  expect(await fire(about(bank))).toHaveLength(1);
  expect(await fires(ofPerson)).toBe(1);
});

describe('a rule that two change at once', () => {
  it.each([
    [
      'what it does beside when',
      () => ({ trigger_filter: { event_type: 'notes.created' } }),
      () => ({ actions: [see()] }),
    ],
    [
      'when beside what it does',
      () => ({ actions: [see()] }),
      () => ({ trigger_filter: { event_type: 'marketplace.app_installed' } }),
    ],
  ])('keeps %s of neither under the rights of the other', async (_what, later, first) => {
    const id = made(await call('create_automation', doing({ message: 'of the app' })));
    const definitions = test.gateway.service.app.get(RuleDefinitionsService);
    const resolve = definitions.resolve.bind(definitions);
    const spy = jest.spyOn(definitions, 'resolve').mockImplementationOnce(async (...said) => {
      const parts = await resolve(...said);
      expect((await inPerson('update_automation', { rule_id: id, ...first() })).error).toBeNull();
      return parts;
    });
    const answer = await inPerson('update_automation', { rule_id: id, ...later() }).finally(() => spy.mockRestore());
    expect(answer).toMatchObject({ status: 'error', error_code: 'AUTOMATION_CHANGED_MEANWHILE' });
    const { actions, event_type } = (await stored(id)) as { actions: unknown; event_type: string };
    const { actions: said, trigger_filter: when } = { ...doing({ message: 'of the app' }), ...first() };
    expect({ actions, event_type }).toEqual({ actions: said, event_type: when.event_type });
    // The same change succeeds when it is tried again.
    expect((await inPerson('update_automation', { rule_id: id, ...later() })).error).toBeNull();
    expect(await stored(id)).toMatchObject({ made_by_app: null, actions: [see()] });
  });
});

describe('a rule that a person wrote', () => {
  let id: number;
  beforeEach(async () => {
    // A rule without scopes has no more permissions than the app.
    id = made(await inPerson('create_automation', doing(pay())));
    await test.query("UPDATE automation_rules SET scopes = '{}' WHERE id = $1", [id]);
    expect((await inPerson('pause_automation', { rule_id: id })).error).toBeNull();
  });

  it('is not resumed, sped up or moved to another event by an app', async () => {
    expect(await call('resume_automation', { rule_id: id })).toMatchObject(BEYOND);
    expect(await call('bulk_automation_action', { action: 'resume', all: true })).toMatchObject({ data: { done: 0 } });
    expect(await call('update_automation', { rule_id: id, max_per_hour: 1_000 })).toMatchObject(BEYOND);
    expect(
      await call('update_automation', { rule_id: id, trigger_filter: { event_type: 'notes.created' } }),
    ).toMatchObject(REFUSED);
    expect(await stored(id)).toMatchObject({ status: 'paused', made_by_app: null, max_per_hour: 10 });
  });

  it('is the app’s once the app says what it does', async () => {
    expect((await call('update_automation', { rule_id: id, actions: [see()] })).error).toBeNull();
    expect((await call('resume_automation', { rule_id: id })).error).toBeNull();
    expect(await stored(id)).toMatchObject({ status: 'active', made_by_app: app });
    expect(await fire()).toMatchObject([{ name: 'see' }]);
  });
});

it('an app of an administrator has the automations of its user alone, and no more of them', async () => {
  const eve = await test.gateway.user();
  const asEve = await test.gateway.signIn(eve);
  const params = { prompt: 'every day at 09:00: message "A secret"' };
  const own = await asEve.post<CallResponse>('/v1/extensions/automations/call', {
    user_id: eve.id,
    function: 'create_automation',
    params,
  });
  const id = made(own.body);
  expect(await call('automation_owners', {})).toMatchObject({ error_code: 'AUTOMATION_ADMIN_ONLY' });
  expect(await call('list_automations', { user_id: eve.id })).toMatchObject({ error_code: 'AUTOMATION_ADMIN_ONLY' });
  for (const name of ['pause_automation', 'resume_automation', 'delete_automation', 'get_automation_details']) {
    expect(await call(name, { rule_id: id })).toMatchObject({ error_code: 'AUTOMATION_NOT_OWNER' });
  }
  expect(await stored(id)).toMatchObject({ status: 'active' });
  expect(await call('list_automations', {})).toMatchObject({ data: { quota: { cap: 10, source: 'plan' } } });
});
