import type { CallResponse, ConfirmedResponse, KeyResponse, OperateResponse, RuleResponse } from '@platform/contracts';
import { hasScope, isAdmin, type UserCaller } from '@platform/guards';
import { newUuid } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import type { PlatformEvent } from '../extensions/events/platform-events.service.js';
import { SystemExtensionsRegistry } from '../extensions/calls/system-extensions.registry.js';
import { createApp, newAppId } from '../testing/apps.js';
import { GatewayTest, type TestUser } from '../testing/gateway-test.js';
import { RuleFiringService } from './firing/rule-firing.service.js';
import { fireQueue } from './firing/firing.jobs.js';

let gateway: GatewayTest;
let user: TestUser;
let client: TestClient;
const APP = newAppId();
/** Callers of the function. */
let callers: UserCaller[];
beforeAll(async () => {
  jest.spyOn(fireQueue, 'backoff').mockReturnValue(1);
  gateway = await GatewayTest.start();
  await createApp(gateway, { app_id: APP, system: true });
  const define = (name: string, action_type: 'write' | 'destructive') => ({
    name,
    description: name,
    action_type,
    key_scope: `${APP}:write` as const,
    params_schema: { type: 'object' },
    handler: (context: { user: UserCaller }) => {
      callers.push(context.user);
      return Promise.resolve({ data: null });
    },
  });
  gateway.service.app
    .get(SystemExtensionsRegistry)
    .registerExtension({ appId: APP, functions: [define('change', 'write'), define('purge', 'destructive')] });
});
beforeEach(async () => {
  callers = [];
  user = await gateway.user({ role: 'admin' });
  client = await gateway.signIn(user);
});
afterAll(() => gateway.stop());

/** The smallest scopes that the program needs here. */
const BASE = `${APP}:*,extensions:*,automations:*,confirmations:*`;
async function program(scopes: string): Promise<{ id: string; as: TestClient }> {
  const { status, body } = await client.post<KeyResponse>('/v1/keys', { name: 'program', scopes });
  expect(status).toBe(201);
  return { id: body.id, as: gateway.client().withHeaders({ 'x-api-key': body.key }) };
}
const query = <Row>(sql: string, values: unknown[] = []) => gateway.service.query<Row>(sql, values);
const automations = (name: string, params: object, as = client) =>
  as
    .post<CallResponse>('/v1/extensions/automations/call', { user_id: user.id, function: name, params })
    .then(({ body }) => body);
const create = async (as = client) => {
  const params = {
    trigger_filter: { event_type: 'notes.created' },
    actions: [{ app_id: APP, tool: 'change', args: {} }],
    cooldown_seconds: 0,
    notify_mode: 'off',
  };
  const answer = await automations('create_automation', params, as);
  expect(answer.error).toBeNull();
  return answer.data as RuleResponse;
};
const stored = async ({ id }: RuleResponse) =>
  (
    await query<{ last_error: string | null; status: string; scopes: string[]; api_key_id: string | null }>(
      'SELECT last_error, status, scopes, api_key_id FROM automation_rules WHERE id = $1',
      [id],
    )
  )[0];
const fire = async (narrowing: Partial<PlatformEvent> = {}) => {
  const plain = { source: 'notes', data: {}, hop: 0, scopes: null, key: null, apps: null };
  const about = { type: 'notes.created', tenantId: 'default', userId: user.id, ...plain, ...narrowing };
  await gateway.service.app.get(RuleFiringService).onEvent({ ...about, id: newUuid(), at: new Date() });
  await until(async () => !(await query("SELECT FROM outbox WHERE queue = 'automation-fires'")).length);
};
const operate = (name: string, as: TestClient) =>
  as.post<OperateResponse>(`/v1/extensions/${APP}/operate`, { user_id: user.id, function: name, params: {} });
const confirm = (id: unknown) => client.post<ConfirmedResponse>(`/v1/confirmations/${String(id)}/confirm`);

function expectNarrow(caller: UserCaller | undefined): void {
  expect(caller).toBeDefined();
  const { scopes } = caller as UserCaller;
  expect(isAdmin(caller as UserCaller)).toBe(false);
  expect(['*', 'users:write', 'roles:read'].filter((scope) => hasScope(scopes, scope))).toEqual([]);
  expect(hasScope(scopes, 'users:read')).toBe(true);
}

describe('what a program asks for and its owner confirms', () => {
  it('is done with the scopes of its key, and as no administrator', async () => {
    const { as } = await program(`${BASE},users:read`);
    const { body } = await operate('purge', as);
    expect(body.kind).toBe('confirmation');
    expect((await confirm(body.confirmation_id)).body.result).toMatchObject({ status: 'success' });
    expectNarrow(callers[0]);
    expect(callers[0]?.keyScopes).toEqual(expect.arrayContaining([`${APP}:*`, 'users:read']));
  });

  it('is done with no more than the owner holds by then', async () => {
    const { as } = await program(`${BASE},users:read`);
    const { body } = await operate('purge', as);
    await gateway.backend().patch(`/v1/users/${user.id}?tenant_id=default`, { denied_scopes: ['users:read'] });
    expect((await confirm(body.confirmation_id)).status).toBe(200);
    expect(hasScope(callers[0]?.scopes ?? ['*'], 'users:read')).toBe(false);
  });

  it.each([
    ['deleted', (id: string) => client.delete(`/v1/keys/${id}`)],
    [
      'expired',
      (id: string) => query("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [id]),
    ],
  ])('is not done once the key was %s', async (_what, end) => {
    const { id, as } = await program(`${BASE},users:read`);
    const { body } = await operate('purge', as);
    await end(id);
    expect(await confirm(body.confirmation_id)).toMatchObject({ status: 409, body: { code: 'confirmation.key_gone' } });
    expect(callers).toEqual([]);
  });

  it('has its key alone: what other keys led to comes by a run, which asks nobody', async () => {
    const { id, as } = await program(`${BASE},users:read`);
    const { body } = await operate('purge', as);
    await confirm(body.confirmation_id);
    expect(callers).toMatchObject([{ apiKeyId: id }]);
    expect(callers[0]?.otherKeyIds).toBeUndefined();
    const run = { grant: 'rg1.any.grant', user_id: user.id, function: 'purge', params: {} };
    const { status, body: refused } = await gateway
      .backend()
      .post<OperateResponse>(`/v1/extensions/${APP}/operate`, run);
    expect([status, refused.confirmation_id]).toEqual([422, undefined]);
    expect(await query('SELECT FROM confirmations WHERE user_id = $1', [user.id])).toHaveLength(1);
  });

  it('of what they asked for themselves is all that they hold', async () => {
    const { body } = await operate('purge', client);
    expect((await confirm(body.confirmation_id)).status).toBe(200);
    expect(isAdmin(callers[0] as UserCaller)).toBe(true);
  });
});

describe('a rule that a program made', () => {
  it('does no more than its key may, and nothing as an administrator', async () => {
    const { id, as } = await program(`${BASE},users:read`);
    const rule = await create(as);
    expect(await stored(rule)).toMatchObject({ api_key_id: id });
    await fire();
    expectNarrow(callers[0]);
  });

  it('fails once the key is gone, also after its owner resumed it, until they say themselves what it does', async () => {
    const { id, as } = await program(`${BASE},users:read`);
    const rule = await create(as);
    await client.delete(`/v1/keys/${id}`);
    await fire();
    expect(await stored(rule)).toMatchObject({
      last_error: expect.stringContaining('The API key that made this automation'),
    });
    expect((await automations('resume_automation', { rule_id: rule.id })).error).toBeNull();
    await fire();
    expect(callers).toEqual([]);
    const actions = [{ app_id: APP, tool: 'change', args: {} }];
    expect((await automations('update_automation', { rule_id: rule.id, actions })).error).toBeNull();
    expect(await stored(rule)).toMatchObject({ api_key_id: null, scopes: ['*'] });
    await fire();
    expect(callers).toHaveLength(1);
  });

  it('and then its owner is bound again when a program changes what it does', async () => {
    const rule = await create();
    const { id, as } = await program(`${BASE},users:read`);
    const trigger_filter = { event_type: 'notes.created' };
    expect((await automations('update_automation', { rule_id: rule.id, trigger_filter }, as)).error).toBeNull();
    expect(await stored(rule)).toMatchObject({ api_key_id: id });
    await fire();
    expectNarrow(callers[0]);
  });
});

describe('a rule of its owner that an event fires to which a program led', () => {
  const ofProgram = (...scopes: string[]) => ({ scopes, key: { id: null, scopes } });

  it('does no more than the program may, also of what the platform itself does', async () => {
    await create();
    await fire(ofProgram(`${APP}:call`, `${APP}:write`, 'users:read'));
    expectNarrow(callers[0]);
    await fire({ ...ofProgram(`${APP}:call`), scopes: ['*'] });
    await fire({ ...ofProgram(`${APP}:write`), scopes: ['*'] });
    expect(callers).toHaveLength(1);
  });

  it('is not stopped by what the program may not, however often', async () => {
    const rule = await create();
    for (let time = 0; time < 6; time++) await fire(ofProgram(`${APP}:call`));
    expect(callers).toEqual([]);
    expect(await stored(rule)).toMatchObject({ status: 'active', last_error: expect.stringContaining(`${APP}:write`) });
    await fire();
    expect(callers).toHaveLength(1);
  });
});

it('a rule does nothing more for an event of a key that is gone, which does not stop it', async () => {
  const rule = await create();
  const [first, second] = [await program('*'), await program('*')];
  const key = { id: first.id, others: [second.id], scopes: ['*'] };
  await fire({ scopes: ['*'], key });
  expect(callers).toMatchObject([{ apiKeyId: first.id, otherKeyIds: [second.id] }]);
  await client.delete(`/v1/keys/${second.id}`);
  await fire({ scopes: ['*'], key });
  expect(callers).toHaveLength(1);
  expect(await stored(rule)).toMatchObject({
    status: 'active',
    last_error: expect.stringContaining('key that led to the event'),
  });
});

it('a program neither resumes nor speeds up a rule that may do more than its key', async () => {
  const rule = await create();
  await automations('pause_automation', { rule_id: rule.id });
  const { as } = await program(`${BASE},users:read`);
  const refused = { status: 'error', error: expect.stringContaining('can do more than your API key') };
  expect(await automations('resume_automation', { rule_id: rule.id }, as)).toMatchObject(refused);
  expect(await automations('update_automation', { rule_id: rule.id, max_per_hour: 1_000 }, as)).toMatchObject(refused);
  expect((await as.post(`/v1/automations/${rule.id}/resume`)).status).toBe(403);
  expect(await stored(rule)).toMatchObject({ status: 'paused', scopes: ['*'], api_key_id: null });
  const { as: whole } = await program('*');
  expect((await automations('resume_automation', { rule_id: rule.id }, whole)).error).toBeNull();
});

describe('a rule calls nothing that a program may not call itself', () => {
  const PROMPT = 'when marketplace.app_installed: call';
  const REGISTER = 'developer.register_developer with {"display_name":"Ada"}';
  const made = (what: string, as: TestClient) =>
    as.post<RuleResponse>('/v1/automations', { prompt: `${PROMPT} ${what}` });
  beforeEach(async () => {
    // A user without own scopes, like most users.
    user = await gateway.user();
    client = await gateway.signIn(user);
  });

  it.each([
    ['an app', 'automations:*', `${APP}.change`, `${APP}:call`],
    ['an app, by the scope for another one', 'automations:*,developer:call', `${APP}.change`, `${APP}:call`],
    ['what is the platform’s own', `automations:*,${APP}:call`, `${APP}.change`, `${APP}:write`],
    ['what a route of its own does', 'automations:*,extensions:call', REGISTER, 'apps:write'],
  ])('when it makes or changes one: %s', async (_what, scopes, call, lacking) => {
    const { as } = await program(scopes);
    const refused = { status: 422, body: { detail: [{ msg: expect.stringContaining(lacking) }] } };
    expect(await made(call, as)).toMatchObject(refused);
    const { status, body: own } = await made(call, client);
    expect(status).toBe(200);
    const changed = await automations(
      'update_automation',
      { rule_id: own.id, trigger_filter: { event_type: 'notes.created' } },
      as,
    );
    expect(changed).toMatchObject({ status: 'error', error: expect.stringContaining(lacking) });
  });

  it.each([
    ['an app', 'automations:*', `${APP}.change`, `${APP}:*`],
    ['what a route of its own does', 'automations:*,developer:call', REGISTER, 'apps:write'],
  ])('when it resumes or speeds up one of its owner: %s', async (_what, scopes, call, more) => {
    const { body: rule } = await made(call, client);
    await client.post(`/v1/automations/${rule.id}/pause`);
    const { as } = await program(scopes);
    const beyond = { status: 403, body: { code: 'automation.beyond_key' } };
    expect(await as.post(`/v1/automations/${rule.id}/resume`)).toMatchObject(beyond);
    const faster = { rule_id: rule.id, max_per_hour: 1_000 };
    expect(await automations('update_automation', faster, as)).toMatchObject({ error_code: 'AUTOMATION_BEYOND_KEY' });
    expect(await automations('bulk_automation_action', { action: 'resume', all: true }, as)).toMatchObject({
      data: { done: 0 },
    });
    expect(await stored(rule)).toMatchObject({ status: 'paused', api_key_id: null });
    const { as: able } = await program(`${scopes},${more}`);
    expect((await able.post(`/v1/automations/${rule.id}/resume`)).status).toBe(200);
  });

  it('when it fires, whatever has become of the function since', async () => {
    const { as } = await program(`automations:*,${APP}:*`);
    const rule = await create(as);
    await fire();
    expect(callers[0]?.keyScopes).toEqual(expect.arrayContaining([`${APP}:*`]));
    await query("UPDATE automation_rules SET key_scopes = '{automations:*}' WHERE id = $1", [rule.id]);
    await fire();
    expect(callers).toHaveLength(1);
    expect(await stored(rule)).toMatchObject({ last_error: expect.stringContaining(`${APP}:call`) });
  });

  it('and its owner’s own rules call all that they may', async () => {
    await create();
    await fire();
    expect(callers[0]?.keyScopes).toBeUndefined();
    expect(callers).toHaveLength(1);
  });
});
