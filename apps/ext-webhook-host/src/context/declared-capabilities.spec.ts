import { DECLARABLE_CAPABILITIES, capabilitiesOf, type JsonObject } from '@platform/app-document';
import type { CallResponse } from '@platform/contracts';
import type { TestService } from '@platform/testing';
import { AppDocumentsService } from '../documents/app-documents.service.js';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { RunsService } from '../runs/runs.service.js';
import { codeFunction } from '../testing/code-apps.js';
import { functionOf, HostTest, step } from '../testing/host.js';
import { webhookEvent } from '../webhooks/running/webhook-event.js';

let host: HostTest;
beforeAll(async () => {
  host = await HostTest.start();
});
afterAll(() => host.stop());

const code = (body: string, more: JsonObject = {}): JsonObject => ({
  modules: { main: `export async function f(event, ctx) { ${body} }` },
  steps: [codeFunction('f')],
  ...more,
});
const run = async (app: DeployedApp, params: JsonObject = {}, service?: TestService): Promise<CallResponse> => {
  const answer = await host.runFunction(app, {
    function: 'f',
    params,
    timeout_ms: 25_000,
    ...(service && { service }),
  });
  expect(answer.status).toBe(200);
  return answer.body;
};
const refused = (path: string, capability = path) => ({
  status: 'error',
  error_code: 'CAPABILITY_NOT_DECLARED',
  error: expect.stringContaining(`ctx.${path}. Add "${capability}" to "capabilities" of its document`),
});
const gets = "await ctx['st' + 'ore'].get('kept', 'one')";

describe('code that uses of its context what its version does not ask for', () => {
  it.each([
    ['puts the name together', gets],
    ['spells the name', "await ctx['\\x73tore'].get('kept', 'one')"],
    ['spells the member', "await ctx.\\u0073tore.get('kept', 'one')"],
    ['is given the name', "await ctx[event.name].get('kept', 'one')"],
    ['reflects', "await Reflect.get(ctx, ['s', 'tore'].join('')).get('kept', 'one')"],
    [
      'goes through all members',
      'for (const name of Object.keys(ctx).filter((one) => one === event.name)) await ctx[name].count("kept")',
    ],
    ['has another name for its context', 'const other = ctx; await other[event.name].count("kept")'],
  ])('is refused when it %s, and is let by a version that declares it', async (_how, use) => {
    const body = `${use}; return 'done'`;
    expect(await run(host.deploy(code(body)), { name: 'store' })).toMatchObject(refused('store'));
    expect(await run(host.deploy(code(body, { capabilities: ['store'] })), { name: 'store' })).toMatchObject({
      data: 'done',
    });
  });

  it('may catch the refusal, which names the capability', async () => {
    const body = `try { ${gets} } catch ({ code, details, retryable }) { return { code, details, retryable } }`;
    expect((await run(host.deploy(code(body)))).data).toEqual({
      code: 'CAPABILITY_NOT_DECLARED',
      details: { capability: 'store' },
      retryable: false,
    });
  });

  it.each([
    ['call', "ctx['ext' + 'ensions'].call(ctx.app.app_id, 'g')", 'extensions.call'],
    ['emit', "ctx['ext' + 'ensions'].emit(`${ctx.app.app_id}.told`, {})", 'extensions.emit'],
  ])('is refused at ctx.extensions, too: %s', async (capability, use, path) => {
    const steps = [codeFunction('f'), functionOf('g', [step('now', 'transform.now', {})])];
    const events = (app: string) => ({ subscribes: [], emits: [`${app}.told`] });
    const deploy = (capabilities: string[]) => {
      const app_id = `ext-${capability}-${capabilities.length}`;
      return host.deploy(
        { ...code(`await ${use}; return 'done'`, { capabilities, events: events(app_id) }), steps },
        { app_id },
      );
    };
    expect(await run(deploy([]))).toMatchObject(refused(path, capability));
    expect(await run(deploy([capability]))).toMatchObject({ status: 'success', data: 'done' });
  });

  it('is refused in functions of the app that it calls, and for whom it acts', async () => {
    const modules = {
      main: `export const f = (event, ctx) => ctx.extensions.call(ctx.app.app_id, 'g', {});
             export const g = async (event, ctx) => { ${gets} };
             export const tick = async (event, ctx) => { const as = await ctx.asUser('usr_1'); await as['st' + 'ore'].count('kept') };`,
    };
    const schedule = {
      id: 'tick',
      kind: 'schedule',
      action: 'tick',
      params: { cron: '@daily', code: { module: 'main', entry: 'tick' } },
    };
    const steps = [codeFunction('f'), codeFunction('g'), schedule];
    const [without, declared] = [
      host.deploy({ modules, steps }),
      host.deploy({ modules, steps, capabilities: ['store'] }),
    ];
    expect(await run(without)).toMatchObject(refused('store'));
    expect(await run(declared)).toMatchObject({ status: 'success' });
    const runs = host.service.app.get(RunsService);
    const acted = (app: DeployedApp) => runs.runSchedule(app, 'tick', {}, `job_${app.app_id}`).then(() => 'ok', codeOf);
    expect([await acted(without), await acted(declared)]).toEqual(['CAPABILITY_NOT_DECLARED', 'ok']);
  });

  it('is refused in webhooks, schedules and handlers of events', async () => {
    const modules = { main: `export const use = async (event, ctx) => { await ctx['st' + 'ore'].count('kept') };` };
    const handler = { code: { module: 'main', entry: 'use' } };
    const steps: JsonObject[] = [
      { id: 'in', kind: 'webhook', action: 'in', params: handler },
      { id: 'tick', kind: 'schedule', action: 'tick', params: { cron: '@daily', ...handler } },
      { id: 'on', kind: 'event', action: 'other.done', params: handler },
    ];
    const runs = host.service.app.get(RunsService);
    const all = async (app: DeployedApp) => {
      const [webhook] = (await host.service.app.get(AppDocumentsService).loadCompiledApp(app)).webhooks;
      const request = { method: 'POST', url: '/in', rawHeaders: [], body: Buffer.from('') };
      const begun = {
        grant: host.createGrant(app, 'event', { tenant_id: 'makers', user_id: 'usr_1' }),
        tenantId: 'makers',
        userId: 'usr_1',
        scopes: [],
      };
      return [
        await runs
          .runWebhook(app, webhook as NonNullable<typeof webhook>, webhookEvent(request), request)
          .then(() => 'ok', codeOf),
        await runs.runSchedule(app, 'tick', {}, `tick_${app.app_id}`).then(() => 'ok', codeOf),
        await runs
          .runEventHandler(app, 'other.done', { hop: 0 }, `event_${app.app_id}`, begun)
          .then(() => 'ok', codeOf),
      ];
    };
    expect(await all(host.deploy({ modules, steps }))).toEqual(
      Array.from({ length: 3 }, () => 'CAPABILITY_NOT_DECLARED'),
    );
    expect(await all(host.deploy({ modules, steps, capabilities: ['store'] }))).toEqual(['ok', 'ok', 'ok']);
  });
});

describe('what is done for an app without its context', () => {
  const published = (app: DeployedApp) =>
    host.service.query<{ type: string }>('SELECT type FROM events WHERE source = $1', [app.app_id]);
  const steps = [
    functionOf('f', [step('now', 'transform.now', {})], { event: 'done' }),
    functionOf('g', [step('one', 'call.f')]),
    {
      ...{ id: 'tick', kind: 'schedule', action: 'tick' },
      params: { cron: '@daily', for_each_user: 'notes', steps: [step('now', 'transform.now', {})] },
    },
  ];

  it('is asked for by the document', () => {
    expect(host.deploy({ steps }).capabilities).toEqual(['call', 'emit', 'asUser']);
  });

  it('publishes the event of a function, also of one that another calls, only where its version asks for it', async () => {
    const [without, asking] = [host.deploy({ steps }, { capabilities: ['call'] }), host.deploy({ steps })];
    for (const app of [without, asking]) {
      for (const name of ['f', 'g'])
        expect((await host.runFunction(app, { function: name })).body).toMatchObject({ status: 'success' });
    }
    expect(await published(without)).toEqual([]);
    expect(await published(asking)).toHaveLength(2);
  });

  it('runs a schedule as a user only where its version asks for it', async () => {
    const runs = host.service.app.get(RunsService);
    const asUser = (app: DeployedApp) => {
      const grant = host.createGrant(app, 'schedule', { tenant_id: 'makers', user_id: 'usr_1' });
      const begun = { grant, tenantId: 'makers', userId: 'usr_1', scopes: [] };
      return runs.runSchedule(app, 'tick', {}, `tick_${app.app_id}`, begun).then(() => 'ok', codeOf);
    };
    const [without, asking] = [host.deploy({ steps }, { capabilities: [] }), host.deploy({ steps })];
    expect([await asUser(without), await asUser(asking)]).toEqual(['CAPABILITY_NOT_DECLARED', 'ok']);
  });
});

it('all that steps use is asked for by them', async () => {
  const parts = {
    steps: [functionOf('f', [step('a', 'store.count', { kind: 'kept' }), step('b', 'cache.get', { key: 'a' })])],
  };
  const app = host.deploy(parts);
  expect(app.capabilities).toEqual(['store', 'cache']);
  expect(await run(app)).toMatchObject({ status: 'success' });
  expect(capabilitiesOf((await host.service.app.get(AppDocumentsService).loadCompiledApp(app)).document.app)).toEqual(
    app.capabilities,
  );
});

describe('the list of what a version may use', () => {
  const computed = code(`${gets}; return 'done'`);
  const outcome = async (app: DeployedApp, service?: TestService) => {
    const { data, error_code } = await run(app, {}, service);
    return error_code ?? data;
  };
  const REFUSED = 'CAPABILITY_NOT_DECLARED';

  it('needs no declaration for what stands in the code', async () => {
    const body = `await ctx.store.count('kept'); const { cache: { get } } = ctx; await get('a'); await ctx['config'].all(); return 'done'`;
    expect(await outcome(host.deploy(code(body)))).toBe('done');
  });

  it('is what the gateway keeps, whatever would be found in the document today', async () => {
    expect(await outcome(host.deploy(computed, { capabilities: ['store'] }))).toBe('done');
    expect(await outcome(host.deploy(code("await ctx.store.count('kept')"), { capabilities: [] }))).toBe(REFUSED);
  });

  it('is that of the version which runs, from the first run after a deploy on', async () => {
    const first = host.deploy(computed);
    expect(await outcome(first)).toBe(REFUSED);
    const second = host.deploy({ ...computed, version: '1.1.0', capabilities: ['store'] }, { app_id: first.app_id });
    expect([await outcome(second), await outcome(first)]).toEqual(['done', REFUSED]);
  });

  it('is asked for once of a version, however long it runs', async () => {
    const app = host.deploy(computed, { capabilities: [...DECLARABLE_CAPABILITIES] });
    const asked = () => host.gateway.countRequests(`GET /v1/internal/apps/${app.app_id}/runtime`);
    expect(await outcome(app)).toBe('done');
    const before = asked();
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now + 60_000);
    try {
      expect(await outcome(app)).toBe('done');
    } finally {
      clock.mockRestore();
    }
    expect(asked()).toBe(before);
  });

  it('is what the document says, once the version runs no more', async () => {
    const old = host.deploy(computed, { capabilities: [...DECLARABLE_CAPABILITIES] });
    host.gateway.apps.delete(old.app_id);
    expect(await outcome(old)).toBe(REFUSED);
  });

  it('is remembered while the gateway is away', async () => {
    const apps = [host.deploy(computed), host.deploy(computed, { capabilities: [...DECLARABLE_CAPABILITIES] })];
    for (const app of apps) await outcome(app);
    host.gateway.isAway = true;
    const beside = await host.startSecondProcess();
    const outcomes: unknown[] = [];
    for (const app of apps) outcomes.push(await outcome(app, beside));
    expect(outcomes).toEqual([REFUSED, 'done']);
    await beside.stop();
  });
});

const codeOf = (error: unknown) => (error as { code?: unknown }).code;
