import type { CallResponse, KeyResponse, RuleResponse } from '@platform/contracts';
import { type TestClient } from '@platform/testing';
import { createApp, tool } from '../testing/apps.js';
import type { TestUser } from '../testing/gateway-test.js';
import { RegistryTest } from '../testing/registry-test.js';
import { createRegisteredApp } from '../testing/registered-apps.js';
import { createTenant } from '../testing/tenants.js';

const AUTOMATIONS = '/v1/automations';
const DAILY = 'every day at 09:00: message "Good morning"';

let platform: RegistryTest;
let user: TestUser;
let client: TestClient;
beforeAll(async () => {
  platform = await RegistryTest.start();
});
beforeEach(async () => {
  [user, client] = await somebody();
});
afterAll(() => platform.stop());

const query = <Row>(sql: string, values: unknown[] = []) => platform.gateway.service.query<Row>(sql, values);
async function somebody(changes: Record<string, unknown> = {}): Promise<[TestUser, TestClient]> {
  const made = await platform.gateway.user(changes);
  return [made, await platform.gateway.signIn(made)];
}
const create = (body: object = {}, as = client) => as.post<RuleResponse>(AUTOMATIONS, { prompt: DAILY, ...body });
const created = async (body: object = {}, as = client): Promise<RuleResponse> => {
  const { status, body: rule } = await create(body, as);
  expect([rule, status]).toEqual([rule, 200]);
  return rule;
};
const list = async (as = client, search = '') => (await as.get<RuleResponse[]>(`${AUTOMATIONS}${search}`)).body;
const read = async (id: number, as = client) => (await list(as)).find((rule) => rule.id === id);
const call = async (name: string, params: object = {}, as = client, userId = user.id) =>
  (await as.post<CallResponse>('/v1/extensions/automations/call', { user_id: userId, function: name, params })).body;
const define = (definition: object, as = client, userId = user.id) => call('create_automation', definition, as, userId);
const messages = [{ message: 'x' }];
const onInstall = { trigger_filter: { event_type: 'marketplace.app_installed' }, actions: messages };
const NOT_FOUND = { status: 404, body: { code: 'automation.not_found' } };
const NOT_OWNER = { status: 403, body: { code: 'automation.not_owner' } };

/** An app of the user with one function of each type. */
async function installed(changes: object = {}): Promise<string> {
  const params_schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  const { app_id } = await createRegisteredApp(platform, {
    tools: [
      tool('add', { action_type: 'write', params_schema }),
      tool('purge', { action_type: 'destructive' }),
      tool('audit', { required_scopes: ['audit:read'] }),
    ],
    document: {},
    ...changes,
  });
  expect((await client.post(`/v1/marketplace/apps/${app_id}/install`, {})).status).toBe(200);
  return app_id;
}

describe('a rule from a prompt', () => {
  it('says what was understood, and when it is due', async () => {
    const before = Date.now();
    const rule = await created();
    const after = Date.now();
    expect(rule).toEqual({
      id: expect.any(Number),
      user_id: user.id,
      tenant_id: 'default',
      prompt: DAILY,
      interpretation: 'Every day at 09:00 UTC: message “Good morning”',
      status: 'active',
      trigger_filter: { event_type: 'system.scheduled', schedule: '0 9 * * *' },
      actions: [{ message: 'Good morning' }],
      cooldown_seconds: 60,
      max_per_hour: 10,
      max_iterations: 0,
      notify_mode: 'failures',
      trigger_count: 0,
      success_count: 0,
      fail_count: 0,
      last_error: null,
      last_triggered: null,
      next_at: expect.stringMatching(/T09:00:00\.000Z$/),
      created_at: expect.any(String),
    });
    expect(Date.parse(String(rule.next_at)) - before).toBeGreaterThan(-1_000);
    expect(Date.parse(String(rule.next_at)) - after).toBeLessThanOrEqual(86_400_000);
  });

  it('is made by a route that says that it is deprecated, as the others do not', async () => {
    expect((await create()).headers.get('deprecation')).toBe(`@${Date.UTC(2025, 10, 1) / 1_000}`);
    expect((await client.get(AUTOMATIONS)).headers.get('deprecation')).toBeNull();
  });

  it('waits for events, and keeps its limits', async () => {
    const limits = { cooldown_seconds: 0, max_per_hour: 3, max_iterations: 2 };
    expect(await created({ prompt: 'when marketplace.app_installed: message "x"', ...limits })).toMatchObject({
      trigger_filter: { event_type: 'marketplace.app_installed', schedule: null },
      next_at: null,
      ...limits,
    });
  });

  it.each([
    [{ prompt: 'do what I mean' }, 'prompt', 'Begin with'],
    [{ prompt: 'when nobody.says_this: message "x"' }, 'prompt', 'Nothing publishes'],
    [{ prompt: 'every minute: call no-such-app.run' }, 'prompt', 'no such extension'],
    [{ prompt: 'on schedule "0 0 31 2 *": message "x"' }, 'prompt', ''],
    [{ prompt: '' }, 'prompt', 'at least 1'],
    [{ prompt: 'x'.repeat(2_001) }, 'prompt', 'at most'],
    [{ prompt: DAILY, cooldown_seconds: -1 }, 'cooldown_seconds', 'greater than'],
    [{ prompt: DAILY, max_per_hour: 0 }, 'max_per_hour', 'greater than'],
    [{ prompt: DAILY, max_iterations: 1.5 }, 'max_iterations', 'integer'],
    [{ prompt: DAILY, notify_mode: 'all' }, 'notify_mode', 'not permitted'],
  ])('is refused when it cannot be done: %#', async (body, key, reason) => {
    const answer = await client.post<{ detail: { loc: string[]; msg: string }[] }>(AUTOMATIONS, body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatchObject([{ loc: ['body', key], msg: expect.stringContaining(reason) }]);
    expect(await list()).toEqual([]);
  });

  it('comes from a trusted backend too, for the user it names', async () => {
    const { body } = await platform.gateway
      .backend()
      .post<RuleResponse>(AUTOMATIONS, { prompt: DAILY, user_id: user.id });
    expect(body.user_id).toBe(user.id);
    expect((await platform.gateway.actingFor(user.id).post(`${AUTOMATIONS}/${body.id}/pause`)).status).toBe(200);
    expect((await create({ user_id: (await platform.gateway.user()).id })).status).toBe(403);
    expect((await platform.gateway.backend().post(AUTOMATIONS, { prompt: DAILY })).status).toBe(422);
  });
});

describe('a rule by its parts', () => {
  it('has a message, a call, and how often', async () => {
    const appId = await installed();
    const actions = [
      { message: 'It is {{ event.timestamp }}' },
      { app_id: appId, tool: 'add', args: { text: '{{ event.data.app_id }}' } },
    ];
    const { data, summary } = await define({ ...onInstall, actions, notify_mode: 'all', max_iterations: 5 });
    expect(data).toMatchObject({
      actions,
      notify_mode: 'all',
      max_iterations: 5,
      prompt: summary,
      interpretation: summary,
    });
    expect(summary).toBe(`When marketplace.app_installed: message “It is {{ event.timestamp }}”; call ${appId}.add`);
    expect(await list()).toMatchObject([{ actions }]);
  });

  it('may wait for what active apps declare, and what those of its owner do', async () => {
    const document = { app: { events: { emits: [{ type: 'TYPE', schema_ref: null }] } } };
    const appOf = async (type: string, changes: object) => {
      await createApp(platform.gateway, {
        app_id: type.split('.')[0],
        document: JSON.parse(JSON.stringify(document).replace('TYPE', type)) as object,
        ...changes,
      });
      return { trigger_filter: { event_type: type }, actions: messages };
    };
    await query('INSERT INTO developers (user_id, display_name) VALUES ($1, $2)', [user.id, 'Ada']);
    expect(await define(await appOf('shop.sold', {}))).toMatchObject({ status: 'success' });
    expect(await define(await appOf('mine.done', { status: 'draft', developer_id: user.id }))).toMatchObject({
      status: 'success',
    });
    expect(await define(await appOf('others.done', { status: 'draft' }))).toMatchObject({
      error: expect.stringContaining('Nothing publishes'),
    });
    expect(await define({ ...onInstall, trigger_filter: { event_type: 'shop.bought' } })).toMatchObject({
      status: 'error',
    });
  });

  it.each<[object, string]>([
    [{}, 'trigger_filter: Field required'],
    [{ actions: messages }, 'trigger_filter: Field required'],
    [{ trigger_filter: { event_type: 'system.scheduled' }, actions: messages }, 'needs a schedule'],
    [{ trigger_filter: { event_type: 'system.scheduled', schedule: '* * * *' }, actions: messages }, 'five fields'],
    [{ trigger_filter: { event_type: 'system.scheduled', schedule: '* * * * * *' }, actions: messages }, 'five fields'],
    [
      { trigger_filter: { event_type: 'email.received', schedule: '* * * * *' }, actions: messages },
      'Only system.scheduled',
    ],
    [{ ...onInstall, actions: [] }, 'actions'],
    [{ ...onInstall, actions: Array(11).fill({ message: 'x' }) }, 'actions'],
    [{ ...onInstall, actions: [{ message: '' }] }, '1 to 1000 characters'],
    [{ ...onInstall, actions: [{ message: 'x', app_id: 'y' }] }, 'not permitted'],
    [{ ...onInstall, actions: [{ app_id: 'x' }] }, 'name of a function'],
    [{ ...onInstall, actions: [{ app_id: 'x', tool: 'y', args: { a: 'x'.repeat(20_000) } }] }, '16384 characters'],
    [{ ...onInstall, actions: [{ message: '{{ now }}' }] }, 'must begin with "event."'],
    [
      { ...onInstall, actions: [{ app_id: 'automations', tool: 'create_automation', args: {} }] },
      'cannot change automations',
    ],
    [{ ...onInstall, actions: [{ app_id: 'developer', tool: 'create_app', args: {} }] }, 'app_id'],
    [{ ...onInstall, actions: [{ app_id: 'developer', tool: 'delete_app', args: {} }] }, 'destructive'],
    [{ ...onInstall, max_per_hour: 1_001 }, 'less than or equal to 1000'],
    [{ ...onInstall, notify_mode: 'sometimes' }, 'notify_mode'],
  ])('is refused when it cannot be done: %#', async (definition, reason) => {
    expect(await define(definition)).toMatchObject({ status: 'error', error: expect.stringContaining(reason) });
    expect(await list()).toEqual([]);
  });

  it('does nothing that its owner may not do, all of which is told at once', async () => {
    const appId = await installed();
    const { app_id: foreign } = await createRegisteredApp(platform, { document: {} });
    const doing = (app_id: string, name: string, args: object = {}) => ({ app_id, tool: name, args });
    const refused = [
      doing(appId, 'purge'),
      doing(appId, 'audit'),
      doing(appId, 'unknown'),
      doing(appId, 'add', { text: 1 }),
      doing(foreign, 'list_things'),
    ];
    const { error } = await define({ ...onInstall, actions: refused });
    for (const reason of [
      'actions.0: An automation cannot call a destructive',
      'actions.1: This function needs',
      'actions.2:',
      'actions.3:',
      'actions.4: There is no such',
    ]) {
      expect(error).toContain(reason);
    }
    const [auditor, asAuditor] = await somebody({ scopes: ['audit:read'] });
    expect((await asAuditor.post(`/v1/marketplace/apps/${appId}/install`, {})).status).toBe(200);
    const audits = { ...onInstall, actions: [doing(appId, 'audit')] };
    expect(await define(audits, asAuditor, auditor.id)).toMatchObject({ status: 'success' });
    // A key with fewer permissions than its owner cannot make a rule with more.
    const { body: key } = await asAuditor.post<KeyResponse>('/v1/keys', {
      name: 'small',
      scopes: 'extensions:call,automations:*',
    });
    const byKey = platform.gateway.client().withToken(key.key);
    expect(await define(audits, byKey, auditor.id)).toMatchObject({
      error: expect.stringContaining('This function needs'),
    });
  });
});

describe('changing a rule', () => {
  it('changes what is given and keeps the rest', async () => {
    const { id, next_at } = await created();
    expect((await call('update_automation', { rule_id: id, max_per_hour: 7, notify_mode: 'off' })).data).toMatchObject({
      prompt: DAILY,
      max_per_hour: 7,
      notify_mode: 'off',
      cooldown_seconds: 60,
      next_at,
    });
    const { data } = await call('update_automation', { rule_id: id, actions: messages });
    expect(data).toMatchObject({ prompt: DAILY, interpretation: 'Every day at 09:00 UTC: message “x”', next_at });
    expect(
      (await call('update_automation', { rule_id: id, prompt: 'when email.received: message "y"' })).data,
    ).toMatchObject({
      trigger_filter: { event_type: 'email.received', schedule: null },
      actions: [{ message: 'y' }],
      next_at: null,
    });
    const hourly = { event_type: 'system.scheduled', schedule: '@hourly' };
    expect((await call('update_automation', { rule_id: id, trigger_filter: hourly })).data).toMatchObject({
      trigger_filter: { event_type: 'system.scheduled', schedule: '0 * * * *' },
      actions: [{ message: 'y' }],
      next_at: expect.stringMatching(/:00:00\.000Z$/),
    });
    expect(await call('update_automation', { rule_id: id, actions: [] })).toMatchObject({ status: 'error' });
    expect(await call('update_automation', { rule_id: id, prompt: 'nonsense' })).toMatchObject({
      error: expect.stringContaining('prompt:'),
    });
  });

  it('pauses a rule that has fired as often as it now may', async () => {
    const { id } = await created();
    await query('UPDATE automation_rules SET trigger_count = 3 WHERE id = $1', [id]);
    expect((await call('update_automation', { rule_id: id, max_iterations: 4 })).data).toMatchObject({
      status: 'active',
    });
    expect((await call('update_automation', { rule_id: id, max_iterations: 3 })).data).toMatchObject({
      status: 'paused',
      next_at: null,
    });
    expect((await call('update_automation', { rule_id: id, max_iterations: 0 })).data).toMatchObject({
      status: 'paused',
    });
  });

  it('pauses, keeping the counts, and resumes, which begins to count anew', async () => {
    const { id } = await created();
    await query(
      "UPDATE automation_rules SET trigger_count = 3, success_count = 2, fail_count = 1, last_error = 'x' WHERE id = $1",
      [id],
    );
    for (let times = 0; times < 2; times++) {
      expect((await client.post(`${AUTOMATIONS}/${id}/pause`)).body).toEqual({ id, status: 'paused' });
    }
    expect(await read(id)).toMatchObject({ status: 'paused', trigger_count: 3, next_at: null });
    for (let times = 0; times < 2; times++) {
      expect((await client.post(`${AUTOMATIONS}/${id}/resume`)).body).toEqual({ id, status: 'active' });
    }
    expect(await read(id)).toMatchObject({
      status: 'active',
      trigger_count: 0,
      success_count: 2,
      fail_count: 1,
      next_at: expect.any(String),
    });
  });

  it('deletes it with its history', async () => {
    const { id } = await created();
    await query("INSERT INTO automation_fires (id, rule_id, cause, event) VALUES ($1, $2, 'c', '{}')", [
      `fir_${id}`,
      id,
    ]);
    expect((await client.delete(`${AUTOMATIONS}/${id}`)).body).toEqual({ id, deleted: true });
    expect(await client.delete(`${AUTOMATIONS}/${id}`)).toMatchObject(NOT_FOUND);
    expect(await query('SELECT FROM automation_fires WHERE rule_id = $1', [id])).toEqual([]);
  });

  it('is in the audit log, without what the rule says', async () => {
    const { id } = await created();
    await client.post(`${AUTOMATIONS}/${id}/pause`);
    await client.delete(`${AUTOMATIONS}/${id}`);
    const entries = await query<{ action: string; actor_id: string }>(
      "SELECT action, actor_id, before_state, after_state, metadata FROM gateway_audit.audit_entries WHERE target_type = 'automation' AND target_id = $1 ORDER BY id",
      [String(id)],
    );
    expect(entries).toMatchObject(
      ['created', 'paused', 'deleted'].map((done) => ({
        action: `automation.${done}`,
        actor_id: user.id,
        metadata: { owner: user.id },
      })),
    );
    expect(JSON.stringify(entries)).not.toContain('Good morning');
  });
});

describe('who reaches a rule', () => {
  const everyWay = (id: number, as: TestClient) =>
    Promise.all([
      as.post(`${AUTOMATIONS}/${id}/pause`),
      as.post(`${AUTOMATIONS}/${id}/resume`),
      as.delete(`${AUTOMATIONS}/${id}`),
    ]);

  it('another user is told that it is not theirs, which is something else than that there is none', async () => {
    const { id } = await created();
    const [other, asOther] = await somebody();
    for (const answer of await everyWay(id, asOther)) expect(answer).toMatchObject(NOT_OWNER);
    for (const answer of await everyWay(2_000_000_000, asOther)) expect(answer).toMatchObject(NOT_FOUND);
    for (const name of [
      'get_automation_details',
      'update_automation',
      'pause_automation',
      'resume_automation',
      'delete_automation',
    ]) {
      expect(await call(name, { rule_id: id }, asOther, other.id)).toMatchObject({
        error_code: 'AUTOMATION_NOT_OWNER',
      });
      expect(await call(name, { rule_id: 2_000_000_000 }, asOther, other.id)).toMatchObject({
        error_code: 'AUTOMATION_NOT_FOUND',
      });
    }
    expect(await list(asOther)).toEqual([]);
    expect(await call('list_automations', { user_id: user.id }, asOther, other.id)).toMatchObject({
      error_code: 'AUTOMATION_ADMIN_ONLY',
    });
    expect(await call('automation_owners', {}, asOther, other.id)).toMatchObject({
      error_code: 'AUTOMATION_ADMIN_ONLY',
    });
    expect(await read(id)).toMatchObject({ status: 'active' });
  });

  it('of another tenant nothing is found, by an administrator neither', async () => {
    const { id } = await created();
    const { id: tenant_id } = await createTenant(platform.gateway.backend());
    const [admin, asAdmin] = await somebody({ tenant_id, role: 'admin' });
    for (const answer of await everyWay(id, asAdmin)) expect(answer).toMatchObject(NOT_FOUND);
    expect((await call('list_automations', { user_id: user.id }, asAdmin, admin.id)).data).toMatchObject({ items: [] });
    expect((await call('automation_owners', {}, asAdmin, admin.id)).data).toEqual({ items: [] });
    expect(await read(id)).toMatchObject({ status: 'active' });
  });

  it('an administrator sees, pauses and deletes it, and neither resumes it nor changes what it does', async () => {
    const { id: tenant_id } = await createTenant(platform.gateway.backend());
    const [owner, asOwner] = await somebody({ tenant_id });
    const [admin, asAdmin] = await somebody({ tenant_id, role: 'admin' });
    const [{ id }, { id: second }] = [await created({}, asOwner), await created({}, asOwner)];
    expect((await call('list_automations', { user_id: owner.id }, asAdmin, admin.id)).data).toMatchObject({
      items: [{ id: second }, { id }],
    });
    expect((await call('get_automation_details', { rule_id: id }, asAdmin, admin.id)).data).toMatchObject({
      id,
      fires: [],
    });
    expect((await asAdmin.post(`${AUTOMATIONS}/${id}/pause`)).status).toBe(200);
    expect((await call('automation_owners', {}, asAdmin, admin.id)).data).toEqual({
      items: [{ user_id: owner.id, email: owner.email, automations: 2, active: 1 }],
    });
    expect(await asAdmin.post(`${AUTOMATIONS}/${id}/resume`)).toMatchObject({
      status: 403,
      body: { code: 'automation.not_owner' },
    });
    expect(await call('resume_automation', { rule_id: id }, asAdmin, admin.id)).toMatchObject({
      error_code: 'AUTOMATION_NOT_OWNER',
    });
    expect(await call('bulk_automation_action', { action: 'resume', rule_ids: [id] }, asAdmin, admin.id)).toMatchObject(
      {
        data: { done: 0 },
      },
    );
    expect(await list(asOwner)).toMatchObject([{ id: second }, { id, status: 'paused' }]);
    expect(await call('update_automation', { rule_id: id, actions: messages }, asAdmin, admin.id)).toMatchObject({
      error_code: 'AUTOMATION_NOT_OWNER',
    });
    expect(await list(asAdmin)).toEqual([]);
    expect((await asAdmin.delete(`${AUTOMATIONS}/${id}`)).status).toBe(200);
    expect(await list(asOwner)).toMatchObject([{ id: second }]);
  });

  it('with its owner it is erased', async () => {
    const { id } = await created();
    expect((await platform.gateway.backend().delete(`/v1/users/${user.id}?permanent=true`)).status).toBe(200);
    expect(await query('SELECT FROM automation_rules WHERE id = $1', [id])).toEqual([]);
  });
});

describe('lists', () => {
  it('have the newest first, in pages', async () => {
    const ids = [];
    for (let made = 0; made < 3; made++) ids.unshift((await created()).id);
    expect((await list()).map(({ id }) => id)).toEqual(ids);
    expect((await list(client, '?limit=1&offset=1')).map(({ id }) => id)).toEqual([ids[1]]);
    expect((await client.get(`${AUTOMATIONS}?limit=0`)).status).toBe(422);
    expect((await call('list_automations', { limit: 1, offset: null })).data).toMatchObject({
      items: [{ id: ids[0] }],
      quota: { cap: 10, used: 3, remaining: 7, unlimited: false, plan: 'free', source: 'plan' },
    });
  });

  it('are worked through at once', async () => {
    const [{ id: first }, { id: second }] = [await created(), await created()];
    const { data } = await call('bulk_automation_action', { action: 'pause', rule_ids: [first, first, 2_000_000_000] });
    expect(data).toEqual({
      action: 'pause',
      done: 1,
      results: [
        { id: first, ok: true },
        { id: 2_000_000_000, ok: false, error: expect.any(String), error_code: 'automation.not_found' },
      ],
    });
    expect((await call('bulk_automation_action', { action: 'delete', all: true })).data).toMatchObject({ done: 2 });
    expect(await list()).toEqual([]);
    for (const params of [
      { action: 'pause' },
      { action: 'pause', all: true, rule_ids: [second] },
      { action: 'burn', all: true },
      { action: 'pause', rule_ids: ['1'] },
    ]) {
      expect(await call('bulk_automation_action', params)).toMatchObject({ status: 'error' });
    }
  });
});

describe('how many rules a user may have', () => {
  const QUOTA = { cap: 10, used: 10, remaining: 0, unlimited: false, plan: 'free', source: 'plan' };

  it('is ten, however many are created at once, and whatever their status', async () => {
    await created();
    const answers = await Promise.all(Array.from({ length: 14 }, () => create()));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(9).fill(200),
      ...Array<number>(5).fill(429),
    ]);
    expect(await list()).toHaveLength(10);
    const refused = await create();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body).toEqual({
      detail: { error_code: 'AUTOMATION_QUOTA_EXCEEDED', quota: QUOTA },
      code: 'automation.quota_exceeded',
      request_id: expect.any(String),
    });
    expect(await define(onInstall)).toMatchObject({
      error_code: 'AUTOMATION_QUOTA_EXCEEDED',
      retryable: false,
      data: { quota: QUOTA },
    });
    const [rule] = await list();
    await client.post(`${AUTOMATIONS}/${rule?.id}/pause`);
    expect((await create()).status).toBe(429);
    await client.delete(`${AUTOMATIONS}/${rule?.id}`);
    expect((await create()).status).toBe(200);
  });

  it('has no end for administrators', async () => {
    const [admin, asAdmin] = await somebody({ role: 'admin' });
    for (let made = 0; made < 11; made++) await created({}, asAdmin);
    expect((await call('list_automations', {}, asAdmin, admin.id)).data).toMatchObject({
      quota: { cap: null, used: 11, remaining: null, unlimited: true, plan: 'free', source: 'role' },
    });
  });
});
