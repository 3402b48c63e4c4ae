import { ApiError } from '@platform/client';
import { newId, type RequestContext, runInContext, ServiceUnavailable } from '@platform/platform';
import { TEST_SERVICE_TOKEN, until } from '@platform/testing';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry as Metrics } from 'prom-client';
import { RegistryTest } from '../../../testing/registry-test.js';
import { isRefusedWith } from './registry.errors.js';
import { RegistryClient } from './registry.client.js';

let platform: RegistryTest;
let client: RegistryClient;
beforeAll(async () => {
  platform = await RegistryTest.start();
  client = platform.gateway.service.app.get(RegistryClient);
});
afterAll(() => platform.stop());

const TOOL = {
  name: 'list_invoices',
  description: 'Lists the invoices of the user.',
  action_type: 'read' as const,
  params_schema: { type: 'object', properties: { month: { type: 'string' } } },
  return_schema: null,
  required_scopes: ['*'],
};
const SECTION = {
  section_name: 'open',
  refresh_activity: 'refresh_open',
  alert_activity: null,
  ttl: 60,
  alert_on_change: true,
};

async function newApp(): Promise<string> {
  const app_id = newId('app').replace('_', '-');
  await client.createApp({ app_id, display_name: 'Invoices', status: 'draft' });
  return app_id;
}

const push = (appId: string, version: string, release: boolean, ifMatch?: string) =>
  client.putTools(appId, {
    tools: [TOOL],
    skeleton_sections: [SECTION],
    version,
    release,
    ...(ifMatch && { ifMatch }),
  });

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(() => new Error('It did not fail.')).catch((error: unknown) => error);

describe('the client of the Registry', () => {
  it('registers an app, has a manifest held, and moves what is served to it', async () => {
    const id = await newApp();
    expect(await push(id, '1.0.0', false)).toEqual({
      app_id: id,
      version: '1.0.0',
      tools_registered: 1,
      skeleton_sections_registered: 1,
      released: false,
    });
    const none = await client.getTools(id);
    expect(none.value).toEqual({ app_id: id, version: null, tools: [], skeleton_sections: [] });
    const held = await client.getTools(id, '1.0.0');
    expect(held.value).toEqual({ app_id: id, version: '1.0.0', tools: [TOOL], skeleton_sections: [SECTION] });
    const before = await client.getApp(id);
    const after = await client.updateApp(id, { version: '1.0.0', status: 'active' }, before.etag);
    expect(after.value).toMatchObject({ version: '1.0.0', status: 'active', tools: [{ name: 'list_invoices' }] });
    expect(await client.getTools(id)).toEqual(held);
    expect((await client.listApps()).map(({ app_id }) => app_id)).toContain(id);
    await client.deleteApp(id);
    expect(isRefusedWith(await errorOf(client.getApp(id)), 'app.not_found')).toBe(true);
  });

  it('tells a refusal by its status and code', async () => {
    const id = await newApp();
    const { etag } = await client.getApp(id);
    await client.updateApp(id, { description: 'changed meanwhile' });
    const refusals: [() => Promise<unknown>, number, string][] = [
      [() => client.createApp({ app_id: id, display_name: 'Again' }), 409, 'app.exists'],
      [() => client.updateApp(id, { version: '9.9.9' }), 409, 'app.version_not_held'],
      [() => client.updateApp(id, { description: 'late' }, etag), 412, 'precondition_failed'],
      [() => client.getTools(id, '9.9.9'), 404, 'app.version_not_found'],
      [() => client.uninstall(newId('usr'), id), 404, 'install.not_found'],
      [() => client.install(newId('usr'), 'no-such-app'), 404, 'app.not_found'],
    ];
    for (const [work, status, code] of refusals) {
      const error = await errorOf(work());
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status, code });
    }
  });

  it('installs and uninstalls, each time with a higher revision, and hears of the changes', async () => {
    const [id, user] = [await newApp(), newId('usr')];
    const { next_after: start } = await client.listInstallChanges(0, 1000);
    const installed = await client.install(user, id);
    expect(await client.install(user, id)).toEqual(installed);
    expect(await client.listInstalls(user)).toEqual([installed]);
    const removed = await client.uninstall(user, id);
    expect(await client.uninstall(user, id)).toEqual(removed);
    expect(removed.revision).toBeGreaterThan(installed.revision);
    const { changes, has_more } = await client.listInstallChanges(start);
    expect({ changes, has_more }).toMatchObject({
      changes: [{ user_id: user, app_id: id, installed: false, revision: removed.revision }],
      has_more: false,
    });
  });

  it('merges settings and reads a catalog', async () => {
    const [id, user] = [await newApp(), newId('usr')];
    await client.updateSettings(id, { skeleton: { ttl: 300, alert: true } });
    const { value, etag } = await client.updateSettings(id, { skeleton: { ttl: 60 } });
    expect(value).toEqual({ skeleton: { ttl: 60, alert: true } });
    expect(await client.getSettings(id)).toEqual({ value, etag });
    await push(id, '1.0.0', true);
    await client.updateApp(id, { status: 'active' });
    await client.install(user, id);
    expect(await client.getCatalog(user)).toMatchObject({
      user_id: user,
      apps: [{ app_id: id, version: '1.0.0', tools: [TOOL] }],
    });
    expect(await client.getHealth()).toEqual({ status: 'ok', database: 'ok' });
  });

  it('keeps its connection and passes the id of the request on', async () => {
    await client.getHealth();
    const { connections } = platform.wire;
    const context = { requestId: 'req-of-a-user' } as RequestContext;
    await runInContext(context, () => client.getApp('no-such-app')).catch(() => undefined);
    expect(platform.wire.connections).toBe(connections);
    // The Registry logs a request after its answer.
    await until(() => platform.registry.logLines.some((line) => line.includes('"request_id":"req-of-a-user"')));
  });
});

describe('a Registry that is down', () => {
  const metrics = new Metrics();
  let impatient: RegistryClient;
  beforeAll(() => {
    impatient = new RegistryClient({
      baseUrl: platform.wire.url,
      serviceToken: TEST_SERVICE_TOKEN,
      metrics,
      probeAfterMs: 50,
    });
  });
  afterAll(() => impatient.onApplicationShutdown());

  const circuit = async () => (await metrics.getSingleMetric('registry_circuit_open')?.get())?.values[0]?.value;

  it('is ServiceUnavailable, a 503 with Retry-After, asked no more after five failures, and found again', async () => {
    await platform.wire.cut();
    const error = await errorOf(impatient.getApp('x'));
    expect(error).toBeInstanceOf(ServiceUnavailable);
    expect(error).toMatchObject({
      status: 503,
      code: 'registry_unavailable',
      options: { headers: { 'Retry-After': '5' } },
    });
    await errorOf(impatient.getApp('x')); // three attempts each
    expect(await circuit()).toBeGreaterThan(0);
    await platform.wire.restore();
    await until(() => impatient.getHealth().catch(() => null));
    expect(await circuit()).toBe(0);
    const durations = await metrics.getSingleMetricAsString('registry_call_duration_seconds');
    expect(durations).toContain('operation="getApp",outcome="unavailable"');
  });
});

describe('a Registry that misbehaves', () => {
  let server: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let seen: string[];
  let troubled: RegistryClient;
  beforeEach(async () => {
    seen = [];
    server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      answer(request, response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    troubled = new RegistryClient({ baseUrl: `http://127.0.0.1:${port}`, serviceToken: 'x', metrics: new Metrics() });
  });
  afterEach(async () => {
    server.closeAllConnections();
    await Promise.all([troubled.onApplicationShutdown(), new Promise((done) => server.close(done))]);
  });

  it('is asked again where that is safe, and once where it is not', async () => {
    answer = (_request, response) => response.writeHead(500).end('{}');
    expect(await errorOf(troubled.install('usr_1', 'invoices'))).toBeInstanceOf(ServiceUnavailable);
    expect(seen).toHaveLength(3);
    expect(await errorOf(troubled.createApp({ app_id: 'invoices', display_name: 'Invoices' }))).toBeInstanceOf(
      ServiceUnavailable,
    );
    expect(seen).toHaveLength(4);
    expect(await errorOf(troubled.updateApp('invoices', {}, '"tag"'))).toBeInstanceOf(ServiceUnavailable);
    expect(seen).toHaveLength(5);
    expect(await errorOf(troubled.getApp('invoices'))).toBeInstanceOf(ServiceUnavailable);
    expect(seen).toHaveLength(5); // the circuit is open
  });

  it('is asked again when its answer breaks off', async () => {
    answer = (_request, response) => {
      if (seen.length === 1) response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"status":');
      if (seen.length === 1) setImmediate(() => response.destroy());
      else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"app_id":"invoices"}');
    };
    expect((await troubled.getApp('invoices')).value).toEqual({ app_id: 'invoices' });
    expect(seen).toHaveLength(2);
  });

  it('does not open the circuit by refusing, and is not asked again', async () => {
    answer = (_request, response) =>
      response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"detail":"no","code":"app.not_found"}');
    for (let at = 0; at < 10; at++)
      expect(isRefusedWith(await errorOf(troubled.getApp('x')), 'app.not_found')).toBe(true);
    expect(seen).toHaveLength(10);
  });

  it('is given up when it does not answer', async () => {
    answer = () => undefined;
    const error = await errorOf(troubled.getApp('x'));
    expect(error).toBeInstanceOf(ServiceUnavailable);
    expect((error as Error).cause).toMatchObject({ message: 'Operation timed out after 5000ms' });
    expect(seen.length).toBeGreaterThan(1);
  });
});
