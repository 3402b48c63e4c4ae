import type { Type } from '@nestjs/common';
import type { CallResponse } from '@platform/contracts';
import { RetentionService } from '@platform/persistence';
import { LocalServer, TEST_SERVICE_TOKEN, until } from '@platform/testing';
import { createHmac } from 'node:crypto';
import { DataSource } from 'typeorm';
import { AppDocumentsService } from '../documents/app-documents.service.js';
import { DeployedAppsService, type DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { GatewayClient } from '../kernel/gateway/gateway.client.js';
import { SecretVaultService } from '../kernel/secrets/secret-vault.service.js';
import { functionOf, HostTest, step, userNamed } from '../testing/host.js';
import { webhookEvent } from '../webhooks/running/webhook-event.js';
import { RunsService } from './runs.service.js';

let host: HostTest;
let outside: LocalServer;
/** Requests to `/slow`, which stay unanswered. */
const held: string[] = [];
const gone: string[] = [];
beforeAll(async () => {
  outside = await LocalServer.start((request, response) => {
    const url = request.url ?? '';
    if (!url.startsWith('/slow')) response.end('ok');
    else {
      held.push(url);
      response.on('close', () => gone.push(url));
    }
  });
  host = await HostTest.start({ EGRESS_ALLOW: `127.0.0.1:${outside.port}` });
});
afterAll(async () => {
  await host.stop();
  await outside.stop();
});

const get = <Service>(service: Type<Service>): Service => host.service.app.get(service);
const slow = (id: string) => step('wait', 'http.get', { url: `http://127.0.0.1:${outside.port}/slow/${id}` });
const failure = (error_code: string, error: unknown = expect.any(String)) => ({
  status: 'error',
  data: null,
  error_code,
  error,
});
const logsOf = (appId: string) =>
  host.service.query<{ level: string; message: string; kind: string; handler: string; user_id: string | null }>(
    'SELECT level, message, kind, handler, user_id FROM app_logs WHERE app_id = $1 ORDER BY id',
    [appId],
  );

describe('a function', () => {
  it('runs for a user, and keeps documents that no other user, tenant or app sees', async () => {
    const parts = {
      steps: [
        functionOf('add', [step('note', 'store.create', { kind: 'notes', data: { text: '{{ args.text }}' } })]),
        functionOf('list', [step('found', 'store.list', { kind: 'notes' })]),
      ],
    };
    const [app, other] = [host.deploy(parts), host.deploy(parts)];
    const added = await host.runFunction(app, { function: 'add', params: { text: 'milk' } });
    expect(added).toMatchObject({
      status: 200,
      body: { status: 'success', data: { id: expect.any(String) }, error: null },
    });
    const count = async (of = app, user = userNamed('usr_1')) => {
      const { body } = await host.runFunction(of, { function: 'list', user });
      return (body.data as { count: number }).count;
    };
    expect(await count()).toBe(1);
    for (const seen of [
      await count(app, userNamed('usr_2')),
      await count(app, userNamed('usr_1', { tenant_id: 'other' })),
      await count(other),
    ]) {
      expect(seen).toBe(0);
    }
  });

  it('of a development version leaves a line that it was done, and how long it took', async () => {
    const parts = { steps: [step('answer', 'control.return', { data: 1 })] };
    const [released, developed] = [host.deploy(parts), host.deploy({ ...parts, version: '1.0.0-dev.12' })];
    await host.runFunction(released);
    await host.runFunction(developed);
    const lines = await until(async () => {
      const found = await logsOf(developed.app_id);
      return found.length ? found : null;
    });
    expect(lines).toEqual([
      expect.objectContaining({ level: 'info', message: expect.stringMatching(/^Done in \d+\.\d ms\.$/) }),
    ]);
    expect(await logsOf(released.app_id)).toEqual([]);
  });

  it('comes from a document that is fetched once, and served without the gateway from then on', async () => {
    const app = host.deploy({ steps: [step('answer', 'control.return', { data: 1 })] });
    const answers = await Promise.all([1, 2, 3].map(() => host.runFunction(app)));
    expect(answers.map(({ body }) => body.data)).toEqual([1, 1, 1]);
    expect(host.gateway.countRequests(`GET /v1/internal/apps/${app.app_id}/documents/`)).toBe(1);
    const beside = new AppDocumentsService(get(DataSource), get(GatewayClient), new RetentionService(get(DataSource)));
    expect((await beside.loadCompiledApp(app)).document).toEqual(host.gateway.documents.get(app.sha256));
    expect(host.gateway.countRequests(`GET /v1/internal/apps/${app.app_id}/documents/`)).toBe(1);
  });

  it('is not run from a version that the gateway does not have, or has otherwise', async () => {
    const app = host.deploy({ steps: [step('answer', 'control.return', { data: 1 })] });
    expect(await host.runFunction({ ...app, sha256: 'a'.repeat(64) })).toMatchObject({
      status: 404,
      body: { code: 'app_version.not_found' },
    });
    const document = host.gateway.documents.get(app.sha256);
    if (document) host.gateway.documents.set('b'.repeat(64), document);
    expect((await host.runFunction({ ...app, sha256: 'b'.repeat(64) })).status).toBe(500);
    expect((await host.runFunction(app, { function: 'nothing' })).body).toMatchObject(failure('UNKNOWN_SUB_FUNCTION'));
  });

  it('is the gateway’s to start', async () => {
    const app = host.deploy({ steps: [step('answer', 'control.return', { data: 1 })] });
    const request = {
      ...app,
      function: 'main',
      params: {},
      user: null,
      tenant_id: 'makers',
      chain: [],
      timeout_ms: 1_000,
    };
    expect((await host.service.client().post('/v1/internal/runs', request)).status).toBe(401);
    expect(await host.backend().post('/v1/internal/runs', { app_id: '../x' })).toMatchObject({ status: 422 });
  });

  it('fails with the code of the part that refused and the id of the step, which its developer finds in the log', async () => {
    const app = host.deploy({ steps: [step('ask', 'http.get', { url: 'http://10.0.0.1/' })] });
    const { body } = await host.runFunction(app);
    expect(body).toMatchObject({
      ...failure('EGRESS_ADDRESS_REFUSED', expect.stringContaining('Step "ask": ')),
      retryable: false,
      ui: null,
    });
    const [line] = await until(async () => {
      const lines = await logsOf(app.app_id);
      return lines.length ? lines : null;
    });
    expect(line).toMatchObject({
      level: 'error',
      message: expect.stringContaining('EGRESS_ADDRESS_REFUSED: Step "ask"'),
      user_id: 'usr_1',
    });
  });

  it('ends at its deadline with all that it has open', async () => {
    const app = host.deploy({ steps: [slow('late'), step('after', 'store.create', { kind: 'notes', data: {} })] });
    const { body } = await host.runFunction(app, { timeout_ms: 2_000 });
    expect(body).toMatchObject({ ...failure('TIMEOUT'), retryable: true });
    await until(() => gone.includes('/slow/late'));
    expect(await host.service.query('SELECT 1 FROM documents WHERE app_id = $1', [app.app_id])).toEqual([]);
  });

  it('ends when whoever called has gone', async () => {
    const { app_id, version, sha256 } = host.deploy({ steps: [slow('left')] });
    const request = {
      grant: host.gateway.grants.createGrant({ app_id, version, sha256, kind: 'function', tenant_id: 'makers' }).grant,
      app_id,
      version,
      sha256,
      function: 'main',
      params: {},
      user: null,
      tenant_id: 'makers',
      chain: [],
      timeout_ms: 9_000,
    };
    const caller = new AbortController();
    const answer = fetch(`${host.service.url}/v1/internal/runs`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Service-Token': TEST_SERVICE_TOKEN },
      body: JSON.stringify(request),
      signal: caller.signal,
    }).catch((error: unknown) => error);
    await until(() => held.includes('/slow/left'));
    caller.abort();
    await answer;
    await until(() => gone.includes('/slow/left'));
    const [line] = await until(async () => {
      const lines = await logsOf(app_id);
      return lines.length ? lines : null;
    });
    expect(line).toMatchObject({ level: 'error', message: expect.stringContaining('CANCELLED') });
  });

  it('has so many operations and no more, those of the functions that it calls included', async () => {
    const counts = (length: number) =>
      Array.from({ length }, (_one, at) => step(`s${at}`, 'store.count', { kind: 'notes' }));
    const app = host.deploy({
      steps: [
        functionOf('three', counts(3)),
        functionOf('all', [...counts(197), step('own', 'call.three')]),
        functionOf('more', [...counts(197), step('own', 'call.three'), step('last', 'cache.get', { key: 'a' })]),
      ],
    });
    expect((await host.runFunction(app, { function: 'all' })).body.status).toBe('success');
    expect((await host.runFunction(app, { function: 'more' })).body).toMatchObject(
      failure('BUDGET_EXCEEDED', expect.stringContaining('"last"')),
    );
  });

  it('is told what is set, and the time of the user', async () => {
    host.gateway.config = { mail: { sender: 'a@example.com' }, limit: 0 };
    const app = host.deploy({
      steps: [
        step('sender', 'config.get', { key: 'mail.sender' }),
        step('limit', 'config.get', { key: 'limit', default: 5 }),
        step('absent', 'config.get', { key: 'mail.sender.name', default: 'none' }),
        step('inherited', 'config.get', { key: 'constructor', default: 'none' }),
        step('all', 'control.return', {
          data: [
            '{{ steps.sender.value }}',
            '{{ steps.limit.value }}',
            '{{ steps.absent.value }}',
            '{{ steps.inherited.value }}',
          ],
        }),
      ],
    });
    expect((await host.runFunction(app)).body.data).toEqual(['a@example.com', 0, 'none', 'none']);
    await host.runFunction(app);
    expect(host.gateway.configs.filter(({ app_id }) => app_id === app.app_id)).toEqual([
      { app_id: app.app_id, tenant_id: 'acme', user_id: 'usr_1' },
    ]);
  });

  it('notifies its user through the gateway', async () => {
    const app = host.deploy({ steps: [step('tell', 'notify.send', { message: 'Done.', subject: 'Notes' })] });
    expect((await host.runFunction(app)).body.data).toEqual({ sent: true });
    expect(host.gateway.notifications.at(-1)).toEqual({
      app_id: app.app_id,
      user_id: 'usr_1',
      tenant_id: 'acme',
      message: 'Done.',
      channel: 'in_app',
      priority: 'normal',
      subject: 'Notes',
      body: null,
    });
  });

  it('says that there is no model yet', async () => {
    const app = host.deploy({ steps: [step('try', 'ai.complete', { prompt: 'Hello' })] });
    expect((await host.runFunction(app)).body).toMatchObject({ ...failure('AI_UNAVAILABLE'), retryable: false });
  });
});

describe('what a run has read of secrets', () => {
  it('is in no result, log line, error or log of ours', async () => {
    const app = host.deploy({
      secrets: [{ name: 'token', scope: 'app' }],
      steps: [
        functionOf('leak', [
          step('token', 'secret.get', { name: 'token' }),
          step('log', 'log.info', { message: 'It is {{ steps.token.value }}.' }),
          step('out', 'control.return', {
            data: { token: '{{ steps.token.value }}' },
            summary: '{{ steps.token.value }}',
          }),
        ]),
        functionOf('fail', [
          step('token', 'secret.get', { name: 'token' }),
          step('no', 'control.fail', { error: 'Not with {{ steps.token.value }}', code: 'NOT_WITH' }),
        ]),
        functionOf('through', [step('inner', 'call.leak')]),
      ],
    });
    const secret = 'sec-"ret/Zq~9';
    await get(SecretVaultService).set({ appId: app.app_id, identity: '__app__' }, 'token', secret);
    const answers = await Promise.all(
      ['leak', 'fail', 'through'].map(async (name) => (await host.runFunction(app, { function: name })).body),
    );
    expect(answers).toMatchObject([
      { data: { token: '[secret token]' }, summary: '[secret token]' },
      failure('NOT_WITH', 'Not with [secret token]'),
      { data: { token: '[secret token]' } },
    ]);
    const lines = await until(async () => {
      const found = await logsOf(app.app_id);
      return found.length === 3 ? found : null;
    });
    expect(lines.map(({ message }) => message).sort()).toEqual([
      'It is [secret token].',
      'It is [secret token].',
      'NOT_WITH: Not with [secret token]',
    ]);
    expect(host.service.logLines.join('')).not.toContain('Zq~9');
  });
});

describe('a function that calls another', () => {
  const answered = (data: unknown): CallResponse => ({
    status: 'success',
    data,
    summary: null,
    error: null,
    ui: null,
    error_code: null,
    retryable: false,
  });

  it('of its own app stays here, with the params checked', async () => {
    const app = host.deploy({
      steps: [
        functionOf('double', [step('twice', 'control.return', { data: ['{{ args.n }}', '{{ args.n }}'] })], {
          params_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
        }),
        functionOf('good', [step('own', 'call.double', { params: { n: 2 } })]),
        functionOf('bad', [step('own', 'call.double', { params: { n: 'x' } })]),
      ],
    });
    expect((await host.runFunction(app, { function: 'good' })).body.data).toEqual([2, 2]);
    expect((await host.runFunction(app, { function: 'bad' })).body).toMatchObject(
      failure('VALIDATION_TYPE_ERROR', expect.stringContaining('"own"')),
    );
    expect(host.gateway.calls.filter(({ app_id }) => app_id === app.app_id)).toEqual([]);
  });

  it('may not go round, nor deeper than six', async () => {
    const deep = Array.from({ length: 7 }, (_one, at) =>
      functionOf(`f${at}`, [at < 6 ? step('next', `call.f${at + 1}`) : step('end', 'control.return', { data: 'end' })]),
    );
    const app = host.deploy({
      steps: [functionOf('ping', [step('a', 'call.pong')]), functionOf('pong', [step('b', 'call.ping')]), ...deep],
    });
    expect((await host.runFunction(app, { function: 'ping' })).body).toMatchObject(failure('CALL_CYCLE'));
    expect((await host.runFunction(app, { function: 'f0' })).body).toMatchObject(failure('CALL_TOO_DEEP'));
    expect((await host.runFunction(app, { function: 'f1' })).body.data).toBe('end');
    expect((await host.runFunction(app, { function: 'f1', chain: ['x.y'] })).body).toMatchObject(
      failure('CALL_TOO_DEEP'),
    );
    expect((await host.runFunction(app, { function: 'pong', chain: [`${app.app_id}.ping`] })).body).toMatchObject(
      failure('CALL_CYCLE'),
    );
  });

  it('of another app goes through the gateway, which is told the chain', async () => {
    const app = host.deploy({ steps: [step('other', 'call.other-app.find', { params: { q: 'x' } })] });
    host.gateway.answerCall = ({ params }) => answered({ found: params });
    const { body } = await host.runFunction(app, { chain: ['first.start'] });
    expect(body.data).toEqual({ found: { q: 'x' } });
    expect(host.gateway.calls.at(-1)).toEqual({
      app_id: 'other-app',
      function: 'find',
      params: { q: 'x' },
      hop: 0,
      user_id: 'usr_1',
      tenant_id: 'acme',
      chain: ['first.start', `${app.app_id}.main`],
      from_app: app.app_id,
      scopes: ['notes:*'],
      kind: 'function',
    });
    host.gateway.answerCall = () =>
      Object.assign(answered(null), { status: 'error' as const, error: 'Not you.', error_code: 'PERMISSION_DENIED' });
    expect((await host.runFunction(app)).body).toMatchObject(failure('PERMISSION_DENIED', 'Step "other": Not you.'));
    const gone = new Promise<CallResponse>(() => undefined);
    host.gateway.answerCall = () => gone;
    expect((await host.runFunction(app, { timeout_ms: 200 })).body).toMatchObject(failure('TIMEOUT'));
  });
});

describe('a webhook', () => {
  const receive = async (app: DeployedApp, headers: string[] = [], body = Buffer.from('{}')) => {
    const { webhooks } = await get(AppDocumentsService).loadCompiledApp(app);
    const request = { method: 'POST', url: '/v1/ext/a/webhook/in?x=1', rawHeaders: headers, body };
    const [webhook] = webhooks;
    if (!webhook) throw new Error('The app has no webhook.');
    return get(RunsService).runWebhook(app, webhook, webhookEvent(request), request);
  };
  const webhook = (steps: ReturnType<typeof step>[]) => step('in', 'webhook.in', { steps });

  it('runs as nobody, in the tenant of the developer', async () => {
    const app = host.deploy({
      steps: [
        webhook([
          step('keep', 'store.create', { kind: 'pushes', data: '{{ event.json }}' }),
          step('out', 'control.return', {
            body: { user: '{{ user }}', tenant: '{{ tenant_id }}', x: '{{ event.query_params.x }}' },
          }),
        ]),
      ],
    });
    expect((await receive(app)).data).toEqual({ body: { user: null, tenant: 'makers', x: '1' } });
    expect(
      await host.service.query('SELECT user_id, tenant_id FROM documents WHERE app_id = $1', [app.app_id]),
    ).toEqual([{ user_id: '__webhook__', tenant_id: 'makers' }]);
  });

  it('verifies what was sent, and may echo a secret in a header and nowhere else', async () => {
    const app = host.deploy({
      secrets: [{ name: 'key', scope: 'app' }],
      steps: [
        webhook([
          step('key', 'secret.get', { name: 'key' }),
          step('check', 'crypto.hmac_verify', {
            data: '{{ event.body }}',
            secret: '{{ steps.key.value }}',
            signature: '{{ event.headers.x-signature }}',
          }),
          step('out', 'control.return', {
            headers: { 'x-echo': '{{ steps.key.value }}' },
            body: { valid: '{{ steps.check.valid }}', key: '{{ steps.key.value }}' },
          }),
        ]),
      ],
    });
    await get(SecretVaultService).set({ appId: app.app_id, identity: '__app__' }, 'key', 'a-key-of-12');
    const body = Buffer.from('{"a":1}');
    const signature = createHmac('sha256', 'a-key-of-12').update(body).digest('hex');
    expect((await receive(app, ['X-Signature', signature], body)).data).toEqual({
      headers: { 'x-echo': 'a-key-of-12' },
      body: { valid: true, key: '[secret key]' },
    });
    expect((await receive(app, ['X-Signature', signature], Buffer.from('{"a":2}'))).data).toMatchObject({
      body: { valid: false },
    });
  });

  it('may not notify, not even through a function, and the gateway is told', async () => {
    const app = host.deploy({
      steps: [
        functionOf('tell', [step('tell', 'notify.send', { message: 'Hi.' })]),
        webhook([step('own', 'call.tell')]),
      ],
    });
    await expect(receive(app)).rejects.toMatchObject({
      code: 'CAPABILITY_UNAVAILABLE',
      details: { capability: 'notify', call: 'webhook' },
    });
    await expect(receive(app)).rejects.toMatchObject({ code: 'CAPABILITY_UNAVAILABLE' });
    const denial = {
      app_id: app.app_id,
      version: '1.0.0',
      capability: 'notify',
      call: 'webhook',
      user_id: null,
      tenant_id: 'makers',
    };
    await until(() => host.gateway.denials.some(({ app_id }) => app_id === app.app_id));
    expect(host.gateway.denials.filter(({ app_id }) => app_id === app.app_id)).toEqual([denial]);
    expect((await host.runFunction(app, { function: 'tell', user: null })).body).toMatchObject(
      failure('CAPABILITY_UNAVAILABLE'),
    );
    expect((await host.runFunction(app, { function: 'tell' })).body.data).toEqual({ sent: true });
  });

  it('fails with what its handler failed with', async () => {
    const app = host.deploy({
      steps: [webhook([step('no', 'control.fail', { error: 'Out of order.', code: 'OUT_OF_ORDER', retryable: true })])],
    });
    await expect(receive(app)).rejects.toMatchObject({
      code: 'OUT_OF_ORDER',
      message: 'Out of order.',
      retryable: true,
    });
  });
});

describe('which version runs', () => {
  /** State of a new process. */
  const apps = () => new DeployedAppsService(get(DataSource), get(GatewayClient));

  it('is what the gateway says, and none once it is gone', async () => {
    const app = host.deploy({ steps: [] });
    expect(await apps().findApp(app.app_id)).toEqual(app);
    host.gateway.apps.set(app.app_id, { ...app, version: '2.0.0' });
    expect(await apps().findApp(app.app_id)).toMatchObject({ version: '2.0.0' });
    host.gateway.apps.delete(app.app_id);
    expect(await apps().findApp(app.app_id)).toBeNull();
    expect(await host.service.query('SELECT 1 FROM deployed_apps WHERE app_id = $1', [app.app_id])).toEqual([]);
    expect(await apps().findApp('../secrets')).toBeNull();
  });

  it('is what is known while the gateway is away', async () => {
    const [known, unknown] = [
      host.deploy({ steps: [step('a', 'control.return', { data: 1 })] }),
      host.deploy({ steps: [] }),
    ];
    expect(await apps().findApp(known.app_id)).toEqual(known);
    await host.runFunction(known);
    host.gateway.isAway = true;
    expect(await apps().findApp(known.app_id)).toEqual(known);
    expect((await host.runFunction(known)).body.data).toBe(1);
    expect(await host.runFunction(unknown)).toMatchObject({ status: 503, body: { code: 'gateway_unavailable' } });
    await expect(apps().findApp(unknown.app_id)).rejects.toMatchObject({ status: 503 });
  });
});
