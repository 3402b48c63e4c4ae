import type {
  ActionType,
  ActiveConfirmationsResponse,
  ConfirmationResponse,
  ConfirmedResponse,
  KeyResponse,
  OperateResponse,
} from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { createApp, newAppId } from '../../testing/apps.js';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';
import { SystemExtensionsRegistry } from '../calls/system-extensions.registry.js';

let gateway: GatewayTest;
let user: TestUser;
let client: TestClient;
const APP = newAppId();
/** Calls of the functions, with their arguments. */
let done: [string, object][];
beforeAll(async () => {
  gateway = await GatewayTest.start();
  await createApp(gateway, { app_id: APP, system: true });
  const define = (name: string, action_type: ActionType) => ({
    name,
    description: name,
    action_type,
    key_scope: `${APP}:${action_type === 'read' ? 'read' : 'write'}` as const,
    params_schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    handler: (_context: unknown, params: Record<string, unknown>) => {
      done.push([name, params]);
      return Promise.resolve({ data: params });
    },
  });
  const extensions = gateway.service.app.get(SystemExtensionsRegistry);
  extensions.registerExtension({
    appId: APP,
    functions: [define('find', 'read'), define('rename', 'write'), define('purge', 'destructive')],
  });
  await createApp(gateway, { app_id: 'wallet', system: true });
  extensions.registerExtension({
    appId: 'wallet',
    functions: [define('balance', 'read'), define('change_plan', 'write')],
  });
});
beforeEach(async () => {
  done = [];
  user = await gateway.user();
  client = await gateway.signIn(user);
});
afterAll(() => gateway.stop());

const PARAMS = { id: 'n1', more: { z: 1, a: [null, 'é'] } };
const operate = (name: string, body: object = {}, as = client) =>
  as.post<OperateResponse>(`/v1/extensions/${APP}/operate`, {
    user_id: user.id,
    function: name,
    params: PARAMS,
    ...body,
  });
const asked = async () => String((await operate('purge')).body.confirmation_id);
const confirm = (id: string, as = client) => as.post<ConfirmedResponse>(`/v1/confirmations/${id}/confirm`);
const setEnabled = async (confirmation_enabled: boolean | null): Promise<void> => {
  const answer = await client.patch('/v1/me/settings', { confirmation_enabled });
  expect(answer).toMatchObject({ status: 200, body: { settings: { confirmation_enabled } } });
};
const setPolicy = async (policy: string): Promise<void> => {
  const { id: tenant_id } = await createTenant(gateway.backend());
  await gateway.service.query("UPDATE roles SET confirmation_policy = $2 WHERE tenant_id = $1 AND name = 'user'", [
    tenant_id,
    policy,
  ]);
  user = await gateway.user({ tenant_id });
  client = await gateway.signIn(user);
};

/** Function, and true if the client says that it has already asked the user. */
const CALLS: [string, boolean][] = [
  ['find', false],
  ['rename', false],
  ['rename', true],
  ['purge', false],
  ['purge', true],
];
const ALL_BUT_READS = ['rename', 'rename bypassed', 'purge', 'purge bypassed'];
const MATRIX: [policy: string, own: boolean | null, asked: string[]][] = [
  ['enforced', null, ALL_BUT_READS],
  ['enforced', false, ALL_BUT_READS],
  ['default_on', null, ALL_BUT_READS],
  ['default_on', true, ALL_BUT_READS],
  ['default_on', false, []],
  ['default_off', null, ['purge']],
  ['default_off', true, ALL_BUT_READS],
  ['default_off', false, []],
  ['disabled', null, []],
  ['disabled', true, []],
];

describe('operating', () => {
  it('runs at once what only reads', async () => {
    expect((await operate('find')).body).toEqual({
      kind: 'tool_result',
      content: { status: 'success', data: PARAMS, summary: null, ui: null, error_code: null, retryable: false },
    });
  });

  it('asks before anything else where the role says so, and runs it when the user agrees', async () => {
    await setPolicy('default_on');
    for (const [name, action_type] of [
      ['rename', 'write'],
      ['purge', 'destructive'],
    ] as const) {
      done = [];
      const { body } = await operate(name);
      const confirmation = {
        id: expect.stringMatching(/^cnf_/),
        status: 'pending',
        app_id: APP,
        function: name,
        action_type,
        params: PARAMS,
        summary: expect.stringContaining(name),
        created_at: expect.any(String),
        expires_at: expect.any(String),
      };
      expect(body).toMatchObject({ kind: 'confirmation', confirmation, confirmation_id: body.confirmation?.id });
      expect(body.content).toBeUndefined();
      expect(done).toEqual([]);
      const { body: confirmed } = await confirm(String(body.confirmation_id));
      expect(confirmed).toMatchObject({
        ...confirmation,
        status: 'confirmed',
        result: { status: 'success', data: PARAMS },
      });
      expect(done).toEqual([[name, PARAMS]]);
    }
  });

  it('does not ask for what cannot be called', async () => {
    expect((await operate('purge', { params: {} })).body).toMatchObject({
      kind: 'tool_result',
      content: { error_code: 'VALIDATION_MISSING_FIELD', error: expect.any(String) },
    });
    expect((await operate('unknown')).body).toMatchObject({ content: { error_code: 'UNKNOWN_SUB_FUNCTION' } });
    const path = '/v1/extensions/no-such-app/operate';
    expect((await client.post(path, { user_id: user.id, function: 'x' })).status).toBe(404);
    expect((await operate('purge', { tenant_id: 'another' })).body).toMatchObject({ code: 'other_tenant' });
    expect((await operate('purge', { user_id: (await gateway.user()).id })).status).toBe(403);
    expect((await operate('purge', { confirmation_bypassed: 'yes' })).status).toBe(422);
  });

  it.each(MATRIX)('with %s and the user’s own %s, asks for %j', async (policy, own, asked) => {
    await setPolicy(policy);
    if (own !== null) await setEnabled(own);
    const kinds: Record<string, string> = {};
    for (const [name, confirmation_bypassed] of CALLS) {
      kinds[`${name}${confirmation_bypassed ? ' bypassed' : ''}`] = (
        await operate(name, { confirmation_bypassed })
      ).body.kind;
    }
    const isAsked = Object.entries(kinds).filter(([, kind]) => kind === 'confirmation');
    expect(isAsked.map(([call]) => call)).toEqual(asked);
    expect(done).toHaveLength(CALLS.length - asked.length);
  });

  it('always asks about money, whatever anybody said', async () => {
    await setPolicy('disabled');
    await setEnabled(false);
    const pay = (name: string) =>
      client.post<OperateResponse>('/v1/extensions/wallet/operate', {
        user_id: user.id,
        function: name,
        params: PARAMS,
        confirmation_bypassed: true,
      });
    expect((await pay('balance')).body.kind).toBe('tool_result');
    const { body } = await pay('change_plan');
    expect(body.kind).toBe('confirmation');
    expect(done.map(([name]) => name)).toEqual(['balance']);
    expect((await confirm(String(body.confirmation_id))).status).toBe(200);
    expect(done.map(([name]) => name)).toEqual(['balance', 'change_plan']);
  });

  it('has 50 questions wait at most', async () => {
    for (let at = 0; at < 50; at++) expect((await operate('purge')).status).toBe(200);
    const refused = await operate('purge');
    expect(refused).toMatchObject({ status: 429, body: { code: 'confirmation.too_many' } });
    // Seconds until the first confirmation expires.
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(200);
    expect(seconds).toBeLessThanOrEqual(300);
  });
});

describe('a confirmation', () => {
  it('counts once, however many answer at once', async () => {
    const id = await asked();
    const answers = await Promise.all([
      confirm(id),
      confirm(id),
      client.post(`/v1/confirmations/${id}/accept`),
      client.post(`/v1/confirmations/${id}/cancel`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const isConfirmed = (await client.get<ConfirmationResponse>(`/v1/confirmations/${id}`)).body.status === 'confirmed';
    expect(done).toHaveLength(isConfirmed ? 1 : 0);
  });

  it('is confirmed by its second path, too', async () => {
    const id = await asked();
    expect((await client.post(`/v1/confirmations/${id}/accept`)).status).toBe(200);
    expect(done).toHaveLength(1);
  });

  it('can be cancelled: then nothing runs', async () => {
    const id = await asked();
    expect((await client.post(`/v1/confirmations/${id}/cancel`)).body).toMatchObject({ id, status: 'cancelled' });
    expect(await confirm(id)).toMatchObject({ status: 409, body: { code: 'confirmation.answered' } });
    expect(done).toEqual([]);
  });

  it('expires', async () => {
    const id = await asked();
    await gateway.service.query("UPDATE confirmations SET expires_at = now() - interval '1 second' WHERE id = $1", [
      id,
    ]);
    expect((await client.get(`/v1/confirmations/${id}`)).body).toMatchObject({ status: 'expired' });
    expect(await confirm(id)).toMatchObject({ status: 409, body: { code: 'confirmation.expired' } });
    expect((await client.get('/v1/confirmations/active')).body).toEqual({ confirmation: null, items: [] });
    expect(done).toEqual([]);
  });

  it('is its user’s alone, and no API key answers it', async () => {
    const id = await asked();
    const other = await gateway.signIn(await gateway.user());
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/confirm'],
      ['POST', '/accept'],
      ['POST', '/cancel'],
    ] as const) {
      expect(await other.request(method, `/v1/confirmations/${id}${path}`)).toMatchObject({
        status: 404,
        body: { code: 'confirmation.not_found' },
      });
    }
    const { body: key } = await client.post<KeyResponse>('/v1/keys', { name: 'agent' });
    const withKey = gateway.client().withHeaders({ 'x-api-key': key.key });
    expect((await withKey.get(`/v1/confirmations/${id}`)).status).toBe(200);
    expect((await confirm(id, withKey)).status).toBe(403);
    expect(done).toEqual([]);
    expect((await confirm(id, gateway.actingFor(user.id))).status).toBe(200);
  });

  it('is listed while it waits, the newest first', async () => {
    const [first, second] = [await asked(), await asked()];
    const { body } = await client.get<ActiveConfirmationsResponse>('/v1/confirmations/active');
    expect(body.confirmation?.id).toBe(second);
    expect(body.items.map(({ id }) => id)).toEqual([second, first]);
  });

  it('does not run what was taken from the user meanwhile, and still waits', async () => {
    const id = await asked();
    await gateway.service.query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [APP]);
    expect((await confirm(id)).status).toBe(404);
    await gateway.service.query("UPDATE apps SET status = 'active' WHERE app_id = $1", [APP]);
    expect((await confirm(id)).status).toBe(200);
  });

  it('does not run what has come to do something else', async () => {
    const id = await asked();
    await gateway.service.query("UPDATE confirmations SET action_type = 'write' WHERE id = $1", [id]); // simulates a function that was only a write at that time
    expect(await confirm(id)).toMatchObject({ status: 409, body: { code: 'confirmation.changed' } });
    expect(done).toEqual([]);
  });

  it('is in the audit log, without its params, and the call among the actions', async () => {
    const id = await asked();
    await confirm(id);
    const entries = await gateway.service.query(
      'SELECT action, actor_id, metadata FROM gateway_audit.audit_entries WHERE target_id = $1',
      [id],
    );
    expect(entries).toEqual([
      {
        action: 'confirmation.confirmed',
        actor_id: user.id,
        metadata: { app_id: APP, function: 'purge', action_type: 'destructive' },
      },
    ]);
    const actions = await gateway.service.query(
      "SELECT function, status, details ->> 'via' AS via FROM actions WHERE user_id = $1",
      [user.id],
    );
    expect(actions).toEqual([{ function: 'purge', status: 'success', via: 'operate' }]);
  });
});
