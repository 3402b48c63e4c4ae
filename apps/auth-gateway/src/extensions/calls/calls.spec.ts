import type { CallResponse, InstalledExtension, KeyResponse } from '@platform/contracts';
import { abortSignalOf, AppError, type CancellationSignal } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import { createApp, newAppId, tool } from '../../testing/apps.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { FakeRunHost, SUCCESS } from '../../testing/fake-run-host.js';
import { createTenant } from '../../testing/tenants.js';
import { FunctionCallsService } from './function-calls.service.js';
import { FunctionError } from './function-error.js';
import { RunEligibilityService } from '../run-grants/run-eligibility.service.js';
import { SystemExtensionsRegistry, type CallContext } from './system-extensions.registry.js';

let host: FakeRunHost;
let platform: RegistryTest;
let user: TestUser;
let client: TestClient;
beforeAll(async () => {
  host = await FakeRunHost.start();
  platform = await RegistryTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
  user = await platform.gateway.user();
  client = await platform.gateway.signIn(user);
  await addSystemExtension();
});
afterEach(() => host.reset());
afterAll(async () => {
  await platform.stop();
  await host.stop();
});

const call = (appId: string, body: object = {}, as = client) =>
  as.post<CallResponse>(`/v1/extensions/${appId}/call`, { user_id: user.id, function: 'list_notes', ...body });
const batch = (appId: string, calls: unknown, as = client, more: object = {}) =>
  as.post<CallResponse[]>(`/v1/extensions/${appId}/batch`, { user_id: user.id, calls, ...more });
const query = <Row>(sql: string, values: unknown[] = []) => platform.gateway.service.query<Row>(sql, values);
const withoutRequest = (body: unknown) => ({ ...(body as object), request_id: '' });
const failure = (error_code: string, changes: object = {}) => ({
  status: 200,
  body: {
    status: 'error',
    data: null,
    summary: null,
    error: expect.any(String),
    ui: null,
    error_code,
    retryable: false,
    ...changes,
  },
});
const NOT_THERE = { status: 404, body: { code: 'extension.not_found' } };

const schema = {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', maxLength: 20 }, stars: { type: 'integer', minimum: 1 } },
};
const TOOLS = [
  tool('list_notes'),
  tool('create_note', { params_schema: schema }),
  tool('count', { required_scopes: ['notes:read'] }),
  tool('purge', { required_scopes: ['notes:purge'] }),
];

/** An app that the user has installed. */
async function installed(as = client): Promise<string> {
  const { app_id } = await createRegisteredApp(platform, { tools: TOOLS, document: {} });
  expect((await as.post(`/v1/marketplace/apps/${app_id}/install`, {})).status).toBe(200);
  return app_id;
}

let running = 0;
let mostRunning = 0;
const SYSTEM = newAppId();

/** Adds a system app with functions that succeed, fail and throw. */
async function addSystemExtension(): Promise<void> {
  await createApp(platform.gateway, { app_id: SYSTEM, system: true });
  const define = (
    name: string,
    run: (params: Record<string, unknown>, signal: CancellationSignal) => Promise<unknown>,
    params_schema: object = { type: 'object' },
  ) => ({
    name,
    description: name,
    action_type: 'read' as const,
    key_scope: `${SYSTEM}:read` as const,
    params_schema: params_schema as Record<string, unknown>,
    handler: async ({ signal }: CallContext, params: Record<string, unknown>) => ({
      data: await run(params, signal),
      summary: `${name} done`,
    }),
  });
  platform.gateway.service.app.get(SystemExtensionsRegistry).registerExtension({
    appId: SYSTEM,
    functions: [
      define('echo', (params) => Promise.resolve(params)),
      define('note', (params) => Promise.resolve(params), schema),
      define('slow', async ({ ms }, signal) => {
        mostRunning = Math.max(mostRunning, ++running);
        await delay(Number(ms), undefined, { signal: abortSignalOf(signal) }).finally(() => running--);
        return ms;
      }),
      define('refuse', () =>
        Promise.reject(new FunctionError('OUT_OF_PAPER', 'There is no paper.', { retryable: true })),
      ),
      define('conflict', () => Promise.reject(new AppError(409, 'note.exists', 'There is such a note.'))),
      define('busy', () => Promise.reject(new AppError(503, 'note.busy', 'Try again.'))),
      define('break', () => Promise.reject(new Error('secret detail'))),
      { ...define('later', () => Promise.resolve(null)), unavailable: 'This comes later.' },
    ],
  });
}

describe('calling a function', () => {
  it('of the system answers with what it returns', async () => {
    expect(await call(SYSTEM, { function: 'echo', params: { a: [1, { b: null }] } })).toEqual(
      expect.objectContaining({
        status: 200,
        body: {
          status: 'success',
          data: { a: [1, { b: null }] },
          summary: 'echo done',
          error: null,
          ui: null,
          error_code: null,
          retryable: false,
        },
      }),
    );
    expect((await call(SYSTEM, { function: 'echo' })).body.data).toEqual({});
    expect((await call(SYSTEM, { function: 'echo', params: null })).body).toMatchObject({ status: 'success' });
  });

  it('of a deployed app runs on the host, as the user, and answers with what it returns', async () => {
    const appId = await installed();
    host.answer = ({ params }) => ({ ...SUCCESS, data: { id: 1, ...params }, summary: 'Made.', ui: { type: 'text' } });
    expect(await call(appId, { function: 'create_note', params: { text: 'Hello' } })).toMatchObject({
      status: 200,
      body: { ...SUCCESS, data: { id: 1, text: 'Hello' }, summary: 'Made.', ui: { type: 'text' } },
    });
    const [{ sha256 }] = (await query("SELECT encode(sha256, 'hex') AS sha256 FROM app_versions WHERE app_id = $1", [
      appId,
    ])) as [{ sha256: string }];
    expect(host.lastRun).toEqual({
      grant: expect.any(String),
      app_id: appId,
      version: '1.0.0',
      channel: 'live',
      sha256,
      function: 'create_note',
      params: { text: 'Hello' },
      user: {
        user_id: user.id,
        email: user.email,
        tenant_id: 'default',
        role: 'user',
        scopes: expect.any(Array),
        agency_id: null,
        org_id: null,
        attributes: {},
      },
      tenant_id: 'default',
      chain: [`${appId}.create_note`],
      timeout_ms: 29_100,
      hop: 0,
    });
  });

  it('of a deployed app runs with no more than the key of its caller may and than it was granted', async () => {
    const holder = await platform.gateway.user({ scopes: ['notes:read', 'notes:purge', 'notes:other'] });
    const theirs = await platform.gateway.signIn(holder);
    const appId = await installed(theirs);
    const { body: key } = await theirs.post<KeyResponse>('/v1/keys', {
      name: 'less',
      scopes: 'notes:read,notes:other,extensions:call',
    });
    const withKey = platform.gateway.client().withHeaders({ 'x-api-key': key.key });
    expect((await call(appId, { user_id: holder.id }, withKey)).status).toBe(200);
    expect(host.lastRun?.user?.scopes).toEqual(['notes:read']);
    expect((await call(appId, { user_id: holder.id, function: 'purge' }, withKey)).body.error_code).toBe(
      'PERMISSION_DENIED',
    );
    expect((await call(appId, { user_id: holder.id, function: 'purge' }, theirs)).body.status).toBe('success');
  });

  it('of a deployed app that failed answers 200 with its own code and words', async () => {
    const appId = await installed();
    const error = {
      status: 'error' as const,
      error: 'Step "note": no paper',
      error_code: 'OUT_OF_PAPER',
      retryable: true,
      data: { left: 0 },
    };
    host.answer = () => ({ ...SUCCESS, ...error });
    expect(await call(appId)).toMatchObject({ status: 200, body: { ...error, summary: null, ui: null } });
  });

  it('of an app that was deployed without a document is not available', async () => {
    const { app_id } = await createRegisteredApp(platform, { tools: TOOLS });
    await client.post(`/v1/marketplace/apps/${app_id}/install`, {});
    const before = host.runs.length;
    expect(await call(app_id)).toMatchObject(failure('FUNCTION_NOT_AVAILABLE'));
    expect(host.runs).toHaveLength(before);
  });

  it('while the host is away, or fails, is an error that may be retried', async () => {
    const appId = await installed();
    host.answer = () => 503;
    expect(await call(appId)).toMatchObject(failure('BACKEND_5XX', { retryable: true }));
    host.reset();
    expect((await call(appId)).body.status).toBe('success');
    host.answer = ({ function: name }) => (name === 'purge' ? SUCCESS : 500);
    const { body } = await batch(appId, [{ function: 'list_notes' }, { function: 'unknown' }]);
    expect(body).toMatchObject([
      { error_code: 'BACKEND_5XX', retryable: true },
      { error_code: 'UNKNOWN_SUB_FUNCTION' },
    ]);
  });

  it('is ended when its caller goes, and is recorded so', async () => {
    const appId = await installed();
    host.answer = () => null;
    const controller = new AbortController();
    const [runs, aborted] = [host.runs.length, host.aborted];
    const gone = fetch(`${platform.gateway.service.url}/v1/extensions/${appId}/batch`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${(await platform.gateway.login(user)).access_token}`,
      },
      body: JSON.stringify({ user_id: user.id, calls: Array.from({ length: 10 }, () => ({ function: 'list_notes' })) }),
      signal: controller.signal,
    }).catch((error: unknown) => (error as Error).name);
    await until(() => host.runs.length === runs + 8);
    controller.abort();
    expect(await gone).toBe('AbortError');
    await until(() => host.aborted === aborted + 8);
    const recorded = () => query<{ error_code: string }>('SELECT error_code FROM actions WHERE app_id = $1', [appId]);
    await until(async () => (await recorded()).length === 10);
    expect(new Set((await recorded()).map(({ error_code }) => error_code))).toEqual(new Set(['CANCELLED']));
    expect(host.runs).toHaveLength(runs + 8); // the other two never began
  });

  it('answers 200 with what is wrong, when that is the function or its params', async () => {
    const appId = await installed();
    for (const target of [appId, SYSTEM]) {
      expect(await call(target, { function: 'unknown' })).toMatchObject(failure('UNKNOWN_SUB_FUNCTION'));
      expect(await call(target, { function: '__proto__' })).toMatchObject(failure('UNKNOWN_SUB_FUNCTION'));
    }
    for (const [target, name] of [
      [appId, 'create_note'],
      [SYSTEM, 'note'],
    ] as const) {
      const refused = async (params: object) => (await call(target, { function: name, params })).body;
      expect(await refused({})).toMatchObject({
        status: 'error',
        error_code: 'VALIDATION_MISSING_FIELD',
        error: expect.stringContaining('text'),
      });
      expect(await refused({ text: 1 })).toMatchObject({
        error_code: 'VALIDATION_TYPE_ERROR',
        error: expect.stringContaining('text'),
      });
      expect(await refused({ text: 'x'.repeat(21) })).toMatchObject({ error_code: 'VALIDATION_TYPE_ERROR' });
      expect(await refused({ text: 'x', stars: 0 })).toMatchObject({
        error_code: 'VALIDATION_TYPE_ERROR',
        retryable: false,
      });
    }
    expect(await call(appId, { function: 'purge' })).toMatchObject(
      failure('PERMISSION_DENIED', { error: expect.stringContaining('notes:purge') }),
    );
  });

  it('answers 200 with why it failed, in words of its own', async () => {
    expect(await call(SYSTEM, { function: 'refuse' })).toMatchObject(
      failure('OUT_OF_PAPER', { error: 'There is no paper.', retryable: true }),
    );
    expect(await call(SYSTEM, { function: 'conflict' })).toMatchObject(
      failure('NOTE_EXISTS', { error: 'There is such a note.' }),
    );
    expect(await call(SYSTEM, { function: 'busy' })).toMatchObject(failure('BACKEND_5XX', { retryable: true }));
    expect(await call(SYSTEM, { function: 'later' })).toMatchObject(
      failure('FUNCTION_NOT_AVAILABLE', { error: 'This comes later.' }),
    );
    const broken = await call(SYSTEM, { function: 'break' });
    expect(broken).toMatchObject(failure('INTERNAL'));
    expect(JSON.stringify(broken.body)).not.toContain('secret detail');
    expect(platform.gateway.service.logLines.some((line) => line.includes('secret detail'))).toBe(true);
  });

  it('ends when its time is over', async () => {
    const calls = platform.gateway.service.app.get(FunctionCallsService);
    calls.timeoutSeconds = 0.2;
    try {
      expect(await call(SYSTEM, { function: 'slow', params: { ms: 5_000 } })).toMatchObject(
        failure('BACKEND_TIMEOUT', { retryable: true }),
      );
      const answers = (
        await batch(SYSTEM, [
          { function: 'slow', params: { ms: 5_000 } },
          { function: 'slow', params: { ms: 1 } },
        ])
      ).body;
      expect(answers).toMatchObject([{ error_code: 'BACKEND_TIMEOUT' }, { status: 'success', data: 1 }]);
    } finally {
      calls.timeoutSeconds = 30;
    }
  });

  it('is not written to the log with its params', async () => {
    await call(SYSTEM, { function: 'echo', params: { password: 'hunter2-in-params' } });
    await call(SYSTEM, { function: 'note', params: { text: ['hunter2-in-params'] } });
    expect(platform.gateway.service.logLines.join()).not.toContain('hunter2-in-params');
  });

  it.each<[string, object, (string | number)[], string]>([
    ['no user', { user_id: undefined }, ['user_id'], 'missing'],
    ['a list for a user', { user_id: ['x'] }, ['user_id'], 'string_type'],
    ['no function', { function: undefined }, ['function'], 'missing'],
    ['an empty function', { function: '' }, ['function'], 'string_too_short'],
    ['a list for params', { params: [] }, ['params'], 'dict_type'],
    ['a text for params', { params: 'x' }, ['params'], 'dict_type'],
    ['a tenant that can be none', { tenant_id: 'A b' }, ['tenant_id'], 'string_pattern_mismatch'],
    ['a key that nobody knows', { confirmed: true }, ['confirmed'], 'extra_forbidden'],
  ])('is refused with %s', async (_what, changes, place, type) => {
    expect(await call(SYSTEM, changes)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', ...place], type }] },
    });
  });
});

describe('a function of the system', () => {
  const withKey = async (scopes: string) => {
    const { body } = await client.post<KeyResponse>('/v1/keys', { name: 'less', scopes });
    return platform.gateway.client().withHeaders({ 'x-api-key': body.key });
  };

  it('needs the scope of the route that does the same, whichever extension it is of', async () => {
    const [secret, app] = [
      { function: 'save_app_secret', params: { app_id: 'nobodys', name: 'token', value: 'x' } },
      { function: 'create_app', params: { app_id: newAppId() } },
    ];
    const lacks = (scope: string) => ({
      error_code: 'PERMISSION_DENIED',
      error: `This function needs scopes that the API key behind the call does not have: ${scope}.`,
    });
    const apps = await withKey('developer:call,apps:write,secrets:read');
    expect((await call('developer', secret, apps)).body).toMatchObject(lacks('secrets:write'));
    expect((await call('developer', { ...secret, function: 'delete_app_secret' }, apps)).body).toMatchObject(
      lacks('secrets:write'),
    );
    expect((await batch('developer', [secret, app], apps)).body[0]).toMatchObject(lacks('secrets:write'));
    const operated = await apps.post(`/v1/extensions/developer/operate`, { user_id: user.id, ...secret });
    expect(operated.body).toMatchObject({ kind: 'tool_result', content: lacks('secrets:write') });
    const secrets = await withKey('extensions:call,secrets:write');
    expect((await call('developer', secret, secrets)).body.error_code).not.toBe('PERMISSION_DENIED');
    expect((await call('developer', app, secrets)).body).toMatchObject(lacks('apps:write'));
  });

  it('is not added without saying which', () => {
    const definition = {
      name: 'find',
      description: 'Finds.',
      action_type: 'read' as const,
      params_schema: {},
      handler: () => Promise.resolve({}),
    };
    const extensions = new SystemExtensionsRegistry();
    expect(() => extensions.registerExtension({ appId: 'notes', functions: [definition as never] })).toThrow(
      'notes.find does not say',
    );
    expect(() =>
      extensions.registerExtension({ appId: 'notes', functions: [{ ...definition, key_scope: 'notes:read' }] }),
    ).not.toThrow();
  });
});

describe('who may call', () => {
  it('is whoever has the extension installed, and nobody learns of others', async () => {
    const draft = await createApp(platform.gateway, { status: 'draft', tools: TOOLS });
    const foreign = await createRegisteredApp(platform, { tools: TOOLS });
    const answers = await Promise.all(
      [draft.app_id, foreign.app_id, 'no-such-app', 'x'.repeat(200)].map((appId) => call(appId)),
    );
    for (const answer of answers) expect(answer).toMatchObject(NOT_THERE);
    expect(new Set(answers.map(({ body }) => JSON.stringify(withoutRequest(body)))).size).toBe(1);
    expect(await batch(foreign.app_id, [{ function: 'list_notes' }])).toMatchObject(NOT_THERE);
    expect((await call(SYSTEM, {}, platform.gateway.client())).status).toBe(401);
  });

  it('is the developer of an app, without installing it', async () => {
    const developer = await platform.gateway.user();
    await query("INSERT INTO developers (user_id, display_name) VALUES ($1, 'Ada')", [developer.id]);
    const { app_id } = await createApp(platform.gateway, {
      status: 'draft',
      developer_id: developer.id,
      tools: TOOLS,
      document: {},
    });
    const theirs = await platform.gateway.signIn(developer);
    const own = async () => (await call(app_id, { user_id: developer.id }, theirs)).status;
    expect([await own(), (await call(app_id)).status]).toEqual([200, 404]);
    await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [app_id]);
    expect([await own(), (await call(app_id)).status]).toEqual([403, 404]);
    await query("UPDATE apps SET status = 'active' WHERE app_id = $1", [app_id]);
    expect([await own(), (await call(app_id)).status]).toEqual([200, 404]);
  });

  it('is not who has removed it, or while the app is suspended', async () => {
    const appId = await installed();
    expect((await call(appId)).status).toBe(200);
    const suspended = (detail: string) => ({
      status: 403,
      body: { code: 'extension.suspended', detail: expect.stringContaining(detail) },
    });
    await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [appId]);
    expect(await call(appId)).toMatchObject(suspended('Its developer suspended'));
    expect(await batch(appId, [{ function: 'list_notes' }])).toMatchObject(suspended('Its developer suspended'));
    await query('UPDATE apps SET stopped_by_platform = true WHERE app_id = $1', [appId]);
    expect(await call(appId)).toMatchObject(suspended('The operator of the platform suspended'));
    await query("UPDATE apps SET status = 'draft' WHERE app_id = $1", [appId]);
    expect(await call(appId)).toMatchObject(suspended('The operator of the platform suspended'));
    const stranger = await platform.gateway.user();
    expect(await call(appId, { user_id: stranger.id }, await platform.gateway.signIn(stranger))).toMatchObject(
      NOT_THERE,
    );
    await query("UPDATE apps SET status = 'active', stopped_by_platform = false WHERE app_id = $1", [appId]);
    await client.delete(`/v1/marketplace/apps/${appId}/install`);
    expect(await call(appId)).toMatchObject(NOT_THERE);
  });

  it('is whoever has it installed elsewhere', async () => {
    const { app_id } = await createRegisteredApp(platform, { tools: TOOLS, document: {} });
    await platform.gateway.service.app.get(RegistryClient).install(user.id, app_id);
    expect((await call(app_id)).status).toBe(200);
  });

  it('is known while the Registry is away', async () => {
    const appId = await installed();
    const other = await createRegisteredApp(platform, { tools: TOOLS });
    await platform.wire.cut();
    expect((await call(appId)).status).toBe(200);
    expect(await call(other.app_id)).toMatchObject(NOT_THERE);
    await platform.wire.restore();
  });

  it('is nobody who has disabled it', async () => {
    const appId = await installed();
    await client.post('/v1/me/extensions/disable', { app_id: appId });
    expect(await call(appId)).toMatchObject({ status: 403, body: { code: 'extension.disabled' } });
    expect(await batch(appId, [{ function: 'list_notes' }])).toMatchObject({
      status: 403,
      body: { code: 'extension.disabled' },
    });
    await client.delete(`/v1/me/extensions/disable/${appId}`);
    expect((await call(appId)).status).toBe(200);
  });

  it('is nobody to whom the tenant has closed it', async () => {
    const appId = await installed();
    const rule = (columns: object) => {
      const names = Object.keys(columns);
      return query(
        `INSERT INTO access_policies (tenant_id, app_id, ${names.join(', ')}) VALUES ('default', $1, ${names.map((_name, at) => `$${at + 2}`).join(', ')})
         ON CONFLICT (tenant_id, app_id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
        [appId, ...Object.values(columns)],
      );
    };
    const CLOSED = { status: 403, body: { code: 'extension.access_denied' } };
    await rule({ mode: 'public', denied_roles: ['user'] });
    expect(await call(appId)).toMatchObject(CLOSED);
    await rule({ mode: 'public', denied_roles: [], denied_users: [user.id] });
    expect(await call(appId)).toMatchObject(CLOSED);
    await rule({ mode: 'restricted', denied_users: [], required_scopes: ['notes:use'] });
    expect(await call(appId)).toMatchObject(CLOSED);
    const { body: key } = await client.post<KeyResponse>('/v1/keys', { name: 'calls', scopes: 'extensions:call' });
    const withKey = platform.gateway.client().withToken(key.key);
    expect(await call(appId, {}, withKey)).toMatchObject(CLOSED);
    // The check of the tenant concerns the user. Keys are limited by their scopes, and runs by the
    // install.
    const eligibility = async () =>
      (await platform.gateway.service.app.get(RunEligibilityService).findEligibility({ appId, userId: user.id }))
        .refusal;
    expect(await eligibility()).toBe('closed');
    await query("UPDATE users SET scopes = scopes || '{notes:use}' WHERE id = $1", [user.id]);
    expect((await call(appId)).status).toBe(200);
    expect((await call(appId, {}, withKey)).status).toBe(200);
    expect(await eligibility()).toBeNull();
    await query("UPDATE users SET scopes = array_remove(scopes, 'notes:use') WHERE id = $1", [user.id]);
    expect(await call(appId, {}, withKey)).toMatchObject(CLOSED);
    await query('DELETE FROM access_policies WHERE app_id = $1', [appId]);
    expect((await call(appId)).status).toBe(200);
  });

  it('is the user whom the call names, who may use an API key', async () => {
    const other = await platform.gateway.user();
    expect(await call(SYSTEM, { function: 'echo', user_id: other.id })).toMatchObject({
      status: 403,
      body: { code: 'other_user' },
    });
    expect(await batch(SYSTEM, [{ function: 'echo' }], client, { user_id: other.id })).toMatchObject({ status: 403 });
    const { body: key } = await client.post<KeyResponse>('/v1/keys', { name: 'calls' });
    const withKey = platform.gateway.client().withHeaders({ 'x-api-key': key.key });
    expect(await call(SYSTEM, { function: 'echo' }, withKey)).toMatchObject({
      status: 200,
      body: { status: 'success' },
    });
  });

  it('is a trusted backend, for anybody', async () => {
    const backend = platform.gateway.backend();
    expect(await call(SYSTEM, { function: 'echo' }, backend)).toMatchObject({
      status: 200,
      body: { status: 'success' },
    });
    expect((await call(SYSTEM, { function: 'echo', user_id: 'usr_nobody' }, backend)).status).toBe(404);
    const appId = await installed();
    expect((await call(appId, {}, backend)).status).toBe(200);
    const other = await platform.gateway.user();
    expect(await call(appId, { user_id: other.id }, backend)).toMatchObject(NOT_THERE);
    const acting = platform.gateway.actingFor(user.id);
    expect((await call(SYSTEM, { function: 'echo' }, acting)).status).toBe(200);
    expect(await call(SYSTEM, { function: 'echo', user_id: other.id }, acting)).toMatchObject({
      status: 403,
      body: { code: 'other_user' },
    });
  });

  it('is of the tenant that the call names, where it names one', async () => {
    const { id: tenant_id } = await createTenant(platform.gateway.backend());
    const theirs = await platform.gateway.user({ tenant_id });
    const as = await platform.gateway.signIn(theirs);
    const answer = (named?: string) =>
      call(SYSTEM, { function: 'echo', user_id: theirs.id, ...(named && { tenant_id: named }) }, as);
    for (const named of [undefined, 'default', tenant_id]) expect((await answer(named)).status).toBe(200);
    expect(await answer('another')).toMatchObject({ status: 403, body: { code: 'other_tenant' } });
    expect(await call(SYSTEM, { function: 'echo', tenant_id })).toMatchObject({
      status: 403,
      body: { code: 'other_tenant' },
    });
  });
});

describe('a batch', () => {
  it('answers in the order of its calls, each by itself', async () => {
    const appId = await installed();
    const calls = [
      { function: 'slow', params: { ms: 60 } },
      { function: 'break' },
      { function: 'note', params: {} },
      { function: 'unknown' },
      { function: 'slow', params: { ms: 1 } },
    ];
    expect(await batch(SYSTEM, calls)).toMatchObject({
      status: 200,
      body: [
        { status: 'success', data: 60 },
        { status: 'error', error_code: 'INTERNAL' },
        { status: 'error', error_code: 'VALIDATION_MISSING_FIELD' },
        { status: 'error', error_code: 'UNKNOWN_SUB_FUNCTION' },
        { status: 'success', data: 1 },
      ],
    });
    expect(await batch(appId, [{ function: 'list_notes' }, { function: 'unknown' }])).toMatchObject({
      status: 200,
      body: [{ status: 'success' }, { error_code: 'UNKNOWN_SUB_FUNCTION' }],
    });
  });

  it('of a deployed app gives each call its own time', async () => {
    const appId = await installed();
    const calls = platform.gateway.service.app.get(FunctionCallsService);
    calls.timeoutSeconds = 2; // time limit of the call that runs
    host.answer = ({ params }) => (params['text'] === 'hang' ? null : SUCCESS);
    try {
      const { body } = await batch(appId, [
        { function: 'create_note', params: { text: 'hang' } },
        { function: 'create_note', params: { text: 'run' } },
      ]);
      expect(body).toMatchObject([{ error_code: 'BACKEND_TIMEOUT', retryable: true }, { status: 'success' }]);
    } finally {
      calls.timeoutSeconds = 30;
    }
  });

  it('is recorded, each call by itself, before it is answered', async () => {
    const appId = await installed();
    await batch(appId, [
      { function: 'create_note', params: { text: 'x' } },
      { function: 'create_note', params: {} },
      { function: 'unknown' },
    ]);
    await call(appId);
    const rows = await query<object>(
      `SELECT user_id, tenant_id, function, action_type, status, error_code, details ->> 'via' AS via, duration_ms >= 0 AS is_timed, trace_id = id AS is_own
       FROM actions WHERE app_id = $1 ORDER BY function, status, via`,
      [appId],
    );
    const common = { user_id: user.id, tenant_id: 'default', action_type: 'read', is_timed: true, is_own: true };
    expect(rows).toEqual([
      { ...common, function: 'create_note', status: 'error', error_code: 'VALIDATION_MISSING_FIELD', via: 'batch' },
      { ...common, function: 'create_note', status: 'success', error_code: null, via: 'batch' },
      { ...common, function: 'list_notes', status: 'success', error_code: null, via: 'call' },
      {
        ...common,
        function: 'unknown',
        action_type: null,
        status: 'error',
        error_code: 'UNKNOWN_SUB_FUNCTION',
        via: 'batch',
      },
    ]);
  });

  it('has up to 50 calls, of which 8 run at once', async () => {
    mostRunning = 0;
    const calls = Array.from({ length: 50 }, (_value, at) => ({ function: 'slow', params: { ms: 20 + (at % 3) } }));
    const { body } = await batch(SYSTEM, calls);
    expect(body.map(({ data }) => data)).toEqual(calls.map(({ params }) => params.ms));
    expect(mostRunning).toBe(8);
  });

  it.each<[string, unknown, (string | number)[]]>([
    ['no calls', undefined, ['calls']],
    ['an empty list', [], ['calls']],
    ['51 calls', Array.from({ length: 51 }, () => ({ function: 'echo' })), ['calls']],
    ['a call without a function', [{ function: 'echo' }, { params: {} }], ['calls', 1, 'function']],
    ['a call with another key', [{ function: 'echo', user_id: 'x' }], ['calls', 0, 'user_id']],
    ['a text for a call', ['echo'], ['calls', 0]],
    ['an empty list for a call', [[]], ['calls', 0]],
    ['a list with a call for a call', [{ function: 'echo' }, [{ function: 'echo' }]], ['calls', 1]],
    ['null for a call', [{ function: 'echo' }, null], ['calls', 1]],
  ])('is refused with %s', async (_what, calls, place) => {
    const answer = await batch(SYSTEM, calls);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', ...place] }] } });
  });
});

it('functions that cannot run are not listed', () => {
  const manifests = platform.gateway.service.app.get(SystemExtensionsRegistry).listManifests();
  const names = manifests.find(({ appId }) => appId === SYSTEM)?.manifest.tools.map(({ name }) => name);
  expect(names).toContain('echo');
  expect(names).not.toContain('later');
});

it('everybody has the extension of developers', async () => {
  expect((await client.get<InstalledExtension[]>('/v1/me/extensions')).body.map(({ app_id }) => app_id)).toContain(
    'developer',
  );
});
