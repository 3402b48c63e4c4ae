import { ANY_HOST, hostsOf, type JsonObject } from '@platform/app-document';
import type { CallResponse } from '@platform/contracts';
import { LocalServer, type TestService } from '@platform/testing';
import { AppDocumentsService } from '../documents/app-documents.service.js';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { RunsService } from '../runs/runs.service.js';
import { codeFunction } from '../testing/code-apps.js';
import { functionOf, HostTest, step } from '../testing/host.js';
import { webhookEvent } from '../webhooks/running/webhook-event.js';

let host: HostTest;
let one: LocalServer;
let other: LocalServer;
beforeAll(async () => {
  one = await LocalServer.start(({ url }, response) => {
    if (url?.startsWith('/to/')) response.writeHead(302, { location: `http://127.0.0.1:${url.slice('/to/'.length)}/` });
    response.end('one');
  });
  other = await LocalServer.start((_request, response) => response.end('other'));
  host = await HostTest.start({ EGRESS_ALLOW: `127.0.0.1:${one.port},127.0.0.1:${other.port}` });
});
afterAll(async () => {
  await host.stop();
  await one.stop();
  await other.stop();
});
beforeEach(() => {
  one.requests.length = 0;
  other.requests.length = 0;
});

const at = ({ port }: LocalServer) => `127.0.0.1:${port}`;
/** Deploys an app with the host list that the gateway derives from the document. */
function deploy(parts: JsonObject, changes: Partial<DeployedApp> = {}): DeployedApp {
  const app = host.deploy(parts, changes);
  const document = host.gateway.documents.get(app.sha256);
  const info = { ...app, hosts: document ? hostsOf(document.app) : [], ...changes };
  host.gateway.apps.set(app.app_id, info);
  return info;
}
const code = (body: string, more: JsonObject = {}): JsonObject => ({
  capabilities: ['http'],
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
const refused = (host: string, ...hosts: string[]) => ({
  status: 'error',
  error_code: 'EGRESS_HOST_NOT_DECLARED',
  error: expect.stringContaining(`requests to "${host}". Add to its document: "hosts": ${JSON.stringify(hosts)}.`),
});

describe('code that makes a request to a host that its version does not ask for', () => {
  it.each([
    ['puts the address together', 'ctx.http.get("ht" + "tp://127.0.0.1:" + event.port)'],
    ['spells the address', 'ctx.http.get("http:\\/\\/127.0.0.1:" + event.port)'],
    ['escapes the address', 'ctx.http.get("\\x68ttp://127.0.0.1:" + event.port)'],
    ['is given the address', 'ctx.http.post(event.url, { json: 1 })'],
    ['writes the address as a number', 'ctx.http.get("http:\\/\\/2130706433:" + event.port)'],
    ['puts the name of the member together', 'ctx["ht" + "tp"].get(event.url)'],
    ['reflects', 'Reflect.get(ctx, ["h", "t", "t", "p"].join("")).put(event.url)'],
    ['calls it otherwise', '(({ http: other }) => other.delete(event.url))(ctx)'],
  ])('is refused when it %s, and is let by a version that asks for it', async (_how, request) => {
    const body = `const { body } = await ${request}; return body`;
    const params = { port: one.port, url: `http://${at(one)}/` };
    expect(await run(deploy(code(body)), params)).toMatchObject(refused(at(one), at(one)));
    expect(one.requests).toHaveLength(0);
    expect(await run(deploy(code(body, { hosts: [at(one)] })), params)).toMatchObject({
      status: 'success',
      data: 'one',
    });
  });

  it('is refused at another port, and told all that it has to declare', async () => {
    const app = deploy(code(`await ctx.http.get(event.url); /* http://${at(other)}/ https://127.0.0.1/ */`));
    expect(await run(app, { url: `http://${at(one)}/` })).toMatchObject(
      refused(at(one), '127.0.0.1', ...[at(one), at(other)].sort()),
    );
    expect(await run(app, { url: `http://${at(other)}/` })).toMatchObject({ status: 'success' });
    expect(await run(app, { url: 'https://bücher.example' })).toMatchObject({
      error_code: 'EGRESS_HOST_NOT_DECLARED',
      error: expect.stringContaining('"xn--bcher-kva.example"'),
    });
    expect(one.requests).toHaveLength(0);
  });

  it('may spell a host otherwise than the version asks for it', async () => {
    const app = deploy(code('return (await ctx.http.get(event.url)).body', { hosts: [`localhost:${one.port}`] }));
    expect(await run(app, { url: `http://LOCALHOST.:${one.port}/` })).toMatchObject({ data: 'one' });
  });

  it('is refused where a redirect leads there', async () => {
    const body = 'const { body } = await ctx.http.get(event.url); return body';
    const params = { url: `http://${at(one)}/to/${other.port}` };
    const both = [at(one), at(other)].sort();
    expect(await run(deploy(code(body, { hosts: [at(one)] })), params)).toMatchObject(refused(at(other), ...both));
    expect([one.requests.length, other.requests.length]).toEqual([1, 0]);
    expect(await run(deploy(code(body, { hosts: both })), params)).toMatchObject({ data: 'other' });
  });

  it('is refused in functions that it calls', async () => {
    const parts = {
      modules: { main: 'export const f = (event, ctx) => ctx.extensions.call(ctx.app.app_id, "ask", event)' },
      steps: [codeFunction('f'), functionOf('ask', [step('get', 'http.get', { url: '{{ event.url }}' })])],
    };
    const params = { url: `http://${at(one)}/` };
    expect(await run(deploy({ ...parts, hosts: [at(other)] }), params)).toMatchObject({
      error_code: 'EGRESS_HOST_NOT_DECLARED',
    });
    expect(await run(deploy(parts), params)).toMatchObject({ status: 'success' });
  });

  it('is refused in webhooks, and in schedules that act as somebody', async () => {
    const modules = {
      main: `export const hook = async (request, ctx) => { await ctx.http.get(request.body) };
             export const tick = async (event, ctx) => { await (await ctx.asUser('usr_1')).http.get(event.url) };`,
    };
    const steps: JsonObject[] = [
      { id: 'in', kind: 'webhook', action: 'in', params: { code: { module: 'main', entry: 'hook' } } },
      {
        id: 'tick',
        kind: 'schedule',
        action: 'tick',
        params: { cron: '@daily', code: { module: 'main', entry: 'tick' } },
      },
    ];
    const url = `http://${at(one)}/`;
    const runs = host.service.app.get(RunsService);
    const both = async (app: DeployedApp) => {
      const [webhook] = (await host.service.app.get(AppDocumentsService).loadCompiledApp(app)).webhooks;
      const request = { method: 'POST', url: '/in', rawHeaders: [], body: Buffer.from(url) };
      return [
        await runs
          .runWebhook(app, webhook as NonNullable<typeof webhook>, webhookEvent(request), request)
          .then(ok, codeOf),
        await runs.runSchedule(app, 'tick', { url }, `job_${app.app_id}`).then(ok, codeOf),
      ];
    };
    expect(await both(deploy({ modules, steps }))).toEqual(['EGRESS_HOST_NOT_DECLARED', 'EGRESS_HOST_NOT_DECLARED']);
    expect(one.requests).toHaveLength(0);
    expect(await both(deploy({ modules, steps, hosts: [at(one)] }))).toEqual(['ok', 'ok']);
  });
});

describe('the list of hosts', () => {
  const anywhere = code('return (await ctx.http.get(event.url)).body');
  const urls = () => [one, other].map((server) => ({ url: `http://${at(server)}/` }));
  const outcomes = async (app: DeployedApp, service?: TestService) => {
    const answers = [];
    for (const params of urls()) answers.push(await run(app, params, service));
    return answers.map(({ data, error_code }) => error_code ?? data);
  };

  it('is that of the version which runs, from the first run after a deploy on', async () => {
    const first = deploy({ ...anywhere, hosts: [at(one)] });
    expect(await outcomes(first)).toEqual(['one', 'EGRESS_HOST_NOT_DECLARED']);
    const second = deploy({ ...anywhere, version: '1.1.0', hosts: [at(other)] }, { app_id: first.app_id });
    expect(await outcomes(second)).toEqual(['EGRESS_HOST_NOT_DECLARED', 'other']);
    expect(await outcomes(first)).toEqual(['one', 'EGRESS_HOST_NOT_DECLARED']);
  });

  it('is what the gateway keeps, whatever would be found in the document today', async () => {
    expect(await outcomes(deploy({ ...anywhere, hosts: [at(one)] }, { hosts: [at(other)] }))).toEqual([
      'EGRESS_HOST_NOT_DECLARED',
      'other',
    ]);
  });

  it('is what the document says, once the version runs no more', async () => {
    const old = deploy({ ...anywhere, hosts: [at(one)] }, { hosts: [ANY_HOST] });
    host.gateway.apps.delete(old.app_id);
    expect(await outcomes(old)).toEqual(['one', 'EGRESS_HOST_NOT_DECLARED']);
  });

  it('is remembered while the gateway is away', async () => {
    const [listed, free] = [deploy({ ...anywhere, hosts: [at(one)] }), deploy(anywhere, { hosts: [ANY_HOST] })];
    for (const app of [listed, free]) await outcomes(app);
    host.gateway.isAway = true;
    const beside = await host.startSecondProcess();
    expect([await outcomes(listed, beside), await outcomes(free, beside)]).toEqual([
      ['one', 'EGRESS_HOST_NOT_DECLARED'],
      ['one', 'other'],
    ]);
    await beside.stop();
  });
});

const ok = () => 'ok';
const codeOf = (error: unknown) => (error as { code?: unknown }).code;
