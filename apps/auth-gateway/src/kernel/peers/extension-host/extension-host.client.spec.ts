import { ApiError } from '@platform/client';
import { isUnavailable, newId, type RequestContext, runInContext, ServiceUnavailable } from '@platform/platform';
import { until } from '@platform/testing';
import { Registry as Metrics } from 'prom-client';
import { FakeHost } from '../../../testing/fake-host.js';
import { ExtensionHostClient } from './extension-host.client.js';

let host: FakeHost;
let client: ExtensionHostClient;
beforeEach(async () => {
  host = await FakeHost.start();
  client = new ExtensionHostClient({
    baseUrl: host.url,
    serviceToken: 'token-of-the-host',
    metrics: new Metrics(),
    probeAfterMs: 50,
  });
});
afterEach(async () => {
  await host.stop();
  await client.onApplicationShutdown();
});

const RUN = {
  grant: 'a grant',
  app_id: 'notes',
  version: '1.0.0',
  sha256: 'a'.repeat(64),
  function: 'add',
  params: { text: 'x' },
  user: null,
  tenant_id: 'default',
  chain: [],
  timeout_ms: 1_000,
};
const ANSWER = {
  status: 'success',
  data: { id: 1 },
  summary: null,
  error: null,
  ui: null,
  error_code: null,
  retryable: false,
};
const USER = { scope: 'user', user_id: 'usr_1', tenant_id: 'default' } as const;

const unlessUnavailable = (error: unknown): null => {
  if (isUnavailable(error, 'extension_host')) return null;
  throw error;
};
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(() => new Error('It did not fail.')).catch((error: unknown) => error);

describe('the client of the host of extensions', () => {
  it('speaks its routes, with the service token and the id of the request', async () => {
    host.answers = () => ({ body: ANSWER });
    await runInContext({ requestId: 'req-of-a-user' } as RequestContext, () => client.runFunction(RUN));
    expect(host.requests).toEqual([
      expect.objectContaining({ method: 'POST', url: '/v1/internal/runs', body: RUN }) as unknown,
    ]);
    expect(host.requests[0]?.headers).toMatchObject({
      'x-service-token': 'token-of-the-host',
      'x-request-id': 'req-of-a-user',
    });
  });

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'listSecrets',
      () => client.listSecrets('notes', { scope: 'app' }),
      'GET /v1/internal/apps/notes/secrets?scope=app',
    ],
    [
      'getSecret',
      () => client.getSecret('notes', 'a/../b', USER),
      'GET /v1/internal/apps/notes/secrets/a%2F..%2Fb?scope=user&user_id=usr_1&tenant_id=default',
    ],
    [
      'deleteSecret',
      () => client.deleteSecret('notes', 'key', { scope: 'app' }),
      'DELETE /v1/internal/apps/notes/secrets/key?scope=app',
    ],
    [
      'logs',
      () => client.readLogs('notes', { limit: 5, wait_seconds: 0 }),
      'GET /v1/internal/apps/notes/logs?limit=5&wait_seconds=0',
    ],
    [
      'listWebhookDeliveries',
      () => client.listWebhookDeliveries('notes', { status: 'dead', limit: 5 }),
      'GET /v1/internal/apps/notes/webhook-deliveries?status=dead&limit=5',
    ],
    [
      'getWebhookDelivery',
      () => client.getWebhookDelivery('notes', 'd1'),
      'GET /v1/internal/apps/notes/webhook-deliveries/d1',
    ],
    [
      'replayWebhookDelivery',
      () => client.replayWebhookDelivery('notes', 'd1'),
      'POST /v1/internal/apps/notes/webhook-deliveries/d1/replay',
    ],
  ])('%s', async (_name, work, line) => {
    host.answers = () => ({ body: { answered: true } });
    expect(await work()).toEqual({ answered: true });
    expect(host.lines).toEqual([line]);
  });

  it('takes an answer without a body, and keeps its connections', async () => {
    host.answers = () => ({ status: 204 });
    for (let at = 0; at < 10; at++) await client.setSecret('notes', 'key', { scope: 'app' }, 'the value');
    expect(host.requests[9]).toMatchObject({ method: 'PUT', body: { value: 'the value' } });
    expect(host.connections).toBeLessThanOrEqual(2);
  });

  it('tells a refusal by its status and code', async () => {
    host.answers = () => ({ status: 404, body: { detail: 'No such version.', code: 'app_version.not_found' } });
    for (let at = 0; at < 7; at++) {
      const error = await errorOf(client.runFunction(RUN));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status: 404, code: 'app_version.not_found', message: 'No such version.' });
    }
    expect(host.requests).toHaveLength(7);
  });

  it('refuses what would leave the path', async () => {
    await expect(client.getSecret('notes', '..', USER)).rejects.toThrow(RangeError);
    expect(host.requests).toHaveLength(0);
  });
});

describe('a host that fails', () => {
  it('is asked again where that is safe, once where it is not, and not at all after five failures', async () => {
    host.answers = () => ({ status: 500, body: {} });
    expect(await errorOf(client.listSecrets('notes', { scope: 'app' }))).toBeInstanceOf(ServiceUnavailable);
    expect(host.requests).toHaveLength(3);
    expect(await errorOf(client.runFunction(RUN))).toBeInstanceOf(ServiceUnavailable);
    expect(host.requests).toHaveLength(4);
    const error = await errorOf(client.replayWebhookDelivery('notes', newId('whd')));
    expect(error).toMatchObject({
      status: 503,
      code: 'extension_host_unavailable',
      options: { headers: { 'Retry-After': '5' } },
    });
    expect(host.requests).toHaveLength(5);
    await errorOf(client.runFunction(RUN));
    expect(host.lines.filter((line) => line !== 'GET /readyz')).toHaveLength(5);
  });

  it('is found again by a quick call, and not by a run that may keep all others waiting', async () => {
    host.answers = () => ({ status: 500, body: {} });
    for (let at = 0; at < 5; at++) await errorOf(client.runFunction(RUN));
    host.answers = ({ url }) => (url === '/v1/internal/runs' ? null : { body: [] });
    const controller = new AbortController();
    const run = errorOf(until(() => client.runFunction(RUN, controller.signal).catch(unlessUnavailable)));
    const since = () => host.lines.slice(5);
    await until(() => Promise.resolve(since().includes('POST /v1/internal/runs')));
    expect(since().slice(0, since().indexOf('POST /v1/internal/runs'))).toContain('GET /readyz');
    expect(since().filter((line) => line !== 'GET /readyz')).toEqual(['POST /v1/internal/runs']);
    expect(await client.listSecrets('notes', { scope: 'app' })).toEqual([]);
    controller.abort();
    expect(await run).toMatchObject({ name: 'AbortError' });
  });

  it('is given up after the time of the run and a margin', async () => {
    host.answers = () => null;
    expect(await errorOf(client.runFunction({ ...RUN, timeout_ms: 1 }))).toBeInstanceOf(ServiceUnavailable);
    expect(host.requests).toHaveLength(1);
  });

  it('hears when nobody waits any more, which is no failure of its own', async () => {
    host.answers = () => null;
    for (let at = 0; at < 6; at++) {
      const controller = new AbortController();
      const run = errorOf(client.runFunction(RUN, controller.signal));
      await host.waitForRequests(at + 1);
      controller.abort();
      expect(await run).toMatchObject({ name: 'AbortError' });
      await host.waitForAborts(at + 1);
    }
    host.answers = () => ({ body: ANSWER });
    expect(await client.runFunction(RUN)).toEqual(ANSWER);
  });
});
