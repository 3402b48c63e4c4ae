import type { AppLogsResponse, AppSecret, CallResponse, WebhookDeliveriesResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { createApp } from '../../testing/apps.js';
import { documentOf } from '../../testing/deploy-test.js';
import { auditEntriesOf, newDeveloper, type TestDeveloper } from '../../testing/developers.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import {
  appSchedule,
  declaredSecret,
  eventDelivery,
  FakeHostApps,
  logLine,
  webhookDelivery,
  WEBHOOK_REQUEST,
} from '../../testing/fake-host-apps.js';
import { FakeHost, type HostAnswer } from '../../testing/fake-host.js';
import { storedRows } from '../../testing/stored-rows.js';

const VALUE = 'the-value-that-nobody-sees';
const EVENT_ID = '01946f5e-0000-7000-8000-000000000001';
const NOT_THERE = { status: 404, body: { code: 'app.not_found' } };

let wire: FakeHost;
let host: FakeHostApps;
let gateway: GatewayTest;
let ada: TestDeveloper;
let client: TestClient;
let appId: string;
beforeAll(async () => {
  wire = await FakeHost.start();
  gateway = await GatewayTest.start({ EXT_WEBHOOK_HOST_URL: wire.url });
  ada = await newDeveloper(gateway);
  ({ client } = ada);
});
afterAll(async () => {
  await gateway.stop();
  await wire.stop();
});
beforeEach(async () => {
  host = new FakeHostApps();
  wire.answers = (request) => host.answer(request);
  wire.requests.length = 0;
  appId = (await createApp(gateway, { developer_id: ada.user.id })).app_id;
});

const path = (rest: string, id = appId) => `/v1/developer/apps/${id}/${rest}`;
const callDeveloper = (name: string, params: object, { user, client: by } = ada) =>
  by
    .post<CallResponse>('/v1/extensions/developer/call', { user_id: user.id, function: name, params })
    .then(({ body }) => body);

describe('every route', () => {
  it.each([
    ['GET', 'secrets'],
    ['PUT', 'secrets/api_token'],
    ['DELETE', 'secrets/api_token'],
    ['GET', 'logs'],
    ['GET', 'webhook-deliveries'],
    ['GET', 'webhook-deliveries/whd_1'],
    ['POST', 'webhook-deliveries/whd_1/replay'],
    ['GET', 'schedules'],
    ['POST', 'schedules/nightly/run'],
    ['GET', 'event-deliveries'],
    ['POST', `event-deliveries/${EVENT_ID}/replay`],
  ])('%s %s: an app of somebody else is not there, and the host is not asked', async (method, rest) => {
    const other = await newDeveloper(gateway);
    const body = method === 'PUT' ? { value: VALUE } : undefined;
    expect(await other.client.request(method, path(rest), body)).toMatchObject(NOT_THERE);
    expect(await client.request(method, path(rest, 'no-such-app'), body)).toMatchObject(NOT_THERE);
    expect((await gateway.client().request(method, path(rest), body)).status).toBe(401);
    expect(wire.requests).toEqual([]);
  });

  it('answers 503 while the host is away', async () => {
    wire.answers = () => ({ status: 500, body: {} });
    const away = { status: 503, body: { code: 'extension_host_unavailable' } };
    const answer = await client.post(path('webhook-deliveries/whd_1/replay'));
    expect(answer).toMatchObject(away);
    expect(answer.headers.get('Retry-After')).toBe('5');
    expect(await auditEntriesOf(gateway, appId)).toEqual([]);
  });
});

describe('the secrets of an app', () => {
  beforeEach(() => {
    host.secrets = [declaredSecret('api_token', { scope: 'app', write_mode: 'both' }), declaredSecret('of_user')];
  });

  it('are set, listed and deleted, and never told again', async () => {
    expect(await client.put(path('secrets/api_token'), { value: VALUE })).toMatchObject({
      status: 200,
      body: { name: 'api_token', is_set: true },
    });
    expect(host.values).toEqual(new Map([[`${appId}//api_token`, VALUE]]));
    const listed = await client.get<AppSecret[]>(path('secrets'));
    expect(listed.body).toEqual([{ name: 'api_token', description: 'The api_token.', is_set: true, updated_at: null }]);
    expect((await client.get(path('secrets/api_token'))).status).toBe(405);
    expect((await client.delete(path('secrets/api_token'))).body).toEqual({ was_set: true });
    expect((await client.delete(path('secrets/api_token'))).body).toEqual({ was_set: false });
    const history = await auditEntriesOf(gateway, appId);
    expect(history.map(({ action, actor_id, metadata }) => [action, actor_id, metadata])).toEqual([
      ['app_secret.set', expect.anything(), { name: 'api_token', developer_id: ada.user.id }],
      ['app_secret.deleted', expect.anything(), { name: 'api_token', developer_id: ada.user.id }],
    ]);
    expect(JSON.stringify([gateway.service.logLines, await storedRows(gateway.service)])).not.toContain(VALUE);
  });

  it('are none while the app has no version that runs', async () => {
    wire.answers = () => ({ status: 404, body: { detail: 'There is no such app.', code: 'app.not_found' } });
    expect(await client.get(path('secrets'))).toMatchObject({ status: 200, body: [] });
    expect(await client.put(path('secrets/api_token'), { value: VALUE })).toMatchObject({
      status: 404,
      body: { code: 'secret.not_declared' },
    });
  });

  it.each(['unknown', 'of_user'])('%s, which the app does not declare for itself, is 404', async (name) => {
    const refused = {
      status: 404,
      body: { code: 'secret.not_declared', detail: { error_code: 'SECRET_NOT_DECLARED' } },
    };
    expect(await client.put(path(`secrets/${name}`), { value: VALUE })).toMatchObject(refused);
    expect(await client.delete(path(`secrets/${name}`))).toMatchObject(refused);
    expect([host.values.size, await auditEntriesOf(gateway, appId)]).toEqual([0, []]);
  });

  it.each<[string, string, object, number]>([
    ['no value', 'api_token', {}, 422],
    ['an empty one', 'api_token', { value: '' }, 422],
    ['one that is no text', 'api_token', { value: 7 }, 422],
    ['another key', 'api_token', { value: 'x', scope: 'user' }, 422],
    ['a name that is none', 'Api-Token', { value: 'x' }, 422],
    ['a name that leaves the path', '..%2F..%2Fx', { value: 'x' }, 422],
    ['a value that the app does not take', 'api_token', { value: 'too long' }, 400],
  ])('refuses %s', async (_what, name, body, status) => {
    const answer = await client.put<{ code?: string }>(path(`secrets/${name}`), body);
    expect([answer.status, host.values.size, await auditEntriesOf(gateway, appId)]).toEqual([status, 0, []]);
    if (status === 400) expect(answer.body).toMatchObject({ code: 'secret.invalid', detail: 'At most 8 bytes.' });
  });

  it('can be set and deleted by functions of the extension `developer`', async () => {
    expect(await callDeveloper('save_app_secret', { app_id: appId, name: 'api_token', value: VALUE })).toMatchObject({
      status: 'success',
      data: { name: 'api_token', is_set: true },
    });
    expect(host.values.get(`${appId}//api_token`)).toBe(VALUE);
    const deletion = { app_id: appId, name: 'api_token' };
    expect(await callDeveloper('delete_app_secret', deletion)).toMatchObject({
      status: 'success',
      data: { was_set: true },
    });
    const other = await newDeveloper(gateway);
    expect(await callDeveloper('delete_app_secret', deletion, other)).toMatchObject({
      status: 'error',
      error_code: 'APP_NOT_FOUND',
    });
    const unknown = { ...deletion, name: 'unknown', value: VALUE };
    expect(await callDeveloper('save_app_secret', unknown)).toMatchObject({
      status: 'error',
      error_code: 'SECRET_NOT_DECLARED',
    });
    expect(await callDeveloper('save_app_secret', deletion)).toMatchObject({ error_code: 'VALIDATION_MISSING_FIELD' });
  });
});

describe('the logs of an app', () => {
  it('are told from a line on, so many at once', async () => {
    host.lines = ['1', '2', '3'].map((id) => logLine(id, `line ${id}`));
    const { body } = await client.get<AppLogsResponse>(path('logs?after=1&limit=1'));
    expect(body).toEqual({ items: [logLine('2', 'line 2')], next: '2' });
    expect(wire.lines).toEqual([`GET /v1/internal/apps/${appId}/logs?after=1&limit=1&wait_seconds=0`]);
  });

  it('are filtered where they are kept', async () => {
    expect((await client.get(path('logs?level=error&kind=webhook&handler=in&request_id=r'))).status).toBe(200);
    const filters = 'level=error&kind=webhook&handler=in&request_id=r';
    expect(wire.lines).toEqual([`GET /v1/internal/apps/${appId}/logs?limit=100&${filters}&wait_seconds=0`]);
  });

  it.each(['limit=0', 'limit=501', 'wait_seconds=21', 'wait_seconds=x', 'after=a%2Fb', 'level=fatal', 'kind=panel'])(
    'refuses %s',
    async (query) => {
      expect((await client.get(path(`logs?${query}`))).status).toBe(422);
      expect(wire.requests).toEqual([]);
    },
  );

  it('are waited for until the caller goes, by a few at once', async () => {
    const controller = new AbortController();
    const url = `${gateway.service.url}${path('logs?wait_seconds=20')}`;
    const bearer = (await gateway.login(ada.user)).access_token;
    const wait = () =>
      fetch(url, { headers: { Authorization: `Bearer ${bearer}` }, signal: controller.signal }).then(
        ({ status }) => status,
        (error: unknown) => (error as Error).name,
      );
    const waits = Array.from({ length: 5 }, wait);
    await wire.waitForRequests(5);
    const refused = await client.get(path('logs?wait_seconds=20'));
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect((await client.get(path('logs'))).status).toBe(200);
    controller.abort();
    expect(await Promise.all(waits)).toEqual(Array.from({ length: 5 }, () => 'AbortError'));
    await wire.waitForAborts(5); // the host sees that the caller is gone
    expect(gateway.service.logLines.filter((line) => line.includes('unexpected error'))).toEqual([]);
  });
});

describe('the webhook deliveries of an app', () => {
  beforeEach(() => {
    host.deliveries = ['whd_1', 'whd_2'];
  });

  it('are listed and told, without what the host keeps for itself', async () => {
    const { body } = await client.get<WebhookDeliveriesResponse>(
      path('webhook-deliveries?status=dead&limit=2&cursor=abc'),
    );
    expect(body).toMatchObject({
      items: [{ delivery_id: 'whd_1', status: 'dead' }, { delivery_id: 'whd_2' }],
      cursor: null,
    });
    expect(wire.lines).toEqual([`GET /v1/internal/apps/${appId}/webhook-deliveries?status=dead&cursor=abc&limit=2`]);
    const one = await client.get(path('webhook-deliveries/whd_2'));
    expect(one.body).toEqual({ ...webhookDelivery(appId, 'whd_2'), ...WEBHOOK_REQUEST });
  });

  it('are replayed, which the audit log says', async () => {
    expect(await client.post(path('webhook-deliveries/whd_1/replay'))).toMatchObject({
      status: 202,
      body: { delivery_id: 'whd_1', status: 'pending', finished_at: null },
    });
    expect(wire.lines).toEqual([`POST /v1/internal/apps/${appId}/webhook-deliveries/whd_1/replay`]);
    expect(await auditEntriesOf(gateway, appId)).toMatchObject([
      { action: 'webhook_delivery.replayed', metadata: { delivery_id: 'whd_1', path: 'payments' } },
    ]);
  });

  it.each<[string, string, number]>([
    ['POST', 'webhook-deliveries/whd_9/replay', 404],
    ['GET', 'webhook-deliveries/whd_9', 404],
    ['GET', 'webhook-deliveries/a%2F..', 422],
    ['GET', 'webhook-deliveries?status=lost', 422],
    ['GET', 'webhook-deliveries?limit=201', 422],
  ])('%s %s answers %s', async (method, rest, status) => {
    expect((await client.request(method, path(rest))).status).toBe(status);
    expect(await auditEntriesOf(gateway, appId)).toEqual([]);
  });
});

describe('the schedules of an app', () => {
  beforeEach(() => {
    host.schedules = ['nightly'];
  });

  it('are listed with their last runs, without what the host keeps for itself', async () => {
    expect((await client.get(path('schedules'))).body).toEqual({ items: [appSchedule('nightly')] });
    expect(wire.lines).toEqual([`GET /v1/internal/apps/${appId}/schedules`]);
  });

  it('are run at once, which the audit log says', async () => {
    expect(await client.post(path('schedules/nightly/run'))).toMatchObject({
      status: 202,
      body: { run_id: 'srn_1', trigger: 'manual', status: 'pending', users: null },
    });
    expect(wire.lines).toEqual([`POST /v1/internal/apps/${appId}/schedules/nightly/run`]);
    expect(await auditEntriesOf(gateway, appId)).toMatchObject([
      { action: 'schedule.run', metadata: { schedule: 'nightly', run_id: 'srn_1' } },
    ]);
  });

  it('have to be there, and to be known by a name', async () => {
    expect((await client.post(path('schedules/hourly/run'))).status).toBe(404);
    expect((await client.post(path('schedules/a%2F../run'))).status).toBe(422);
    wire.answers = () => ({ status: 409, body: { detail: 'Not finished.', code: 'schedule.unfinished' } });
    expect(await client.post(path('schedules/nightly/run'))).toMatchObject({
      status: 409,
      body: { code: 'schedule.unfinished' },
    });
    expect(await auditEntriesOf(gateway, appId)).toEqual([]);
  });
});

describe('the events that an app handles', () => {
  beforeEach(() => {
    host.events = [EVENT_ID];
  });

  it('are listed, without what they say of others', async () => {
    const { body } = await client.get(path(`event-deliveries?status=dead&limit=2&cursor=${EVENT_ID}`));
    expect(body).toEqual({ items: [eventDelivery(appId, EVENT_ID)], cursor: 'next' });
    expect(wire.lines).toEqual([
      `GET /v1/internal/apps/${appId}/event-deliveries?status=dead&cursor=${EVENT_ID}&limit=2`,
    ]);
  });

  it('are replayed, which the audit log says', async () => {
    expect(await client.post(path(`event-deliveries/${EVENT_ID}/replay`))).toMatchObject({
      status: 202,
      body: { event_id: EVENT_ID, status: 'pending', finished_at: null },
    });
    expect(await auditEntriesOf(gateway, appId)).toMatchObject([
      { action: 'event_delivery.replayed', metadata: { event_id: EVENT_ID, type: 'notes.made' } },
    ]);
  });

  it.each<[string, string, number]>([
    ['POST', `event-deliveries/${EVENT_ID.replace('1', '2')}/replay`, 404],
    ['POST', 'event-deliveries/evt_1/replay', 422],
    ['GET', 'event-deliveries?status=lost', 422],
  ])('%s %s answers %s', async (method, rest, status) => {
    expect((await client.request(method, path(rest))).status).toBe(status);
    expect(await auditEntriesOf(gateway, appId)).toEqual([]);
  });
});

describe('smoke_ir', () => {
  const RAN = {
    ok: true,
    result: { text: 'Hello, Ada' },
    error: null,
    error_code: null,
    trace: { steps: [], effects: [] },
  };
  const smoke = (params: object) =>
    callDeveloper('smoke_ir', { ir_dict: documentOf('notes', '1.0.0'), function: 'greet', ...params });
  const answerWith = (answer: HostAnswer) => (wire.answers = () => answer);

  it('runs a function of a document on the host, as the user', async () => {
    answerWith({ body: RAN });
    expect(await smoke({ args: { name: 'Ada' } })).toMatchObject({
      status: 'success',
      data: RAN,
      summary: 'greet ran.',
    });
    expect(wire.lines).toEqual(['POST /v1/internal/smoke-tests']);
    expect(wire.requests[0]?.body).toMatchObject({
      document: { app: { id: 'notes', functions: [{ name: 'greet' }] } },
      function: 'greet',
      args: { name: 'Ada' },
      user: { user_id: ada.user.id, email: ada.user.email, tenant_id: 'default', role: 'user' },
    });
  });

  it('succeeds also when the function fails', async () => {
    const failed = { ...RAN, ok: false, result: null, error: 'Step "answer": no', error_code: 'STEP_FAILED' };
    answerWith({ body: failed });
    expect(await smoke({ args: { name: 'Ada' } })).toMatchObject({
      status: 'success',
      data: failed,
      summary: 'greet failed: Step "answer": no',
    });
  });

  it('tells what is wrong with the args as a call would, without the host', async () => {
    const data = { ok: false, error_code: 'VALIDATION_MISSING_FIELD', trace: { steps: [] } };
    expect(await smoke({})).toMatchObject({ status: 'success', data });
    expect(wire.requests).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a document that is none', { ir_dict: { app_id: 'notes' } }, 'INVALID_IR'],
    ['a function that is not there', { function: 'other' }, 'UNKNOWN_SUB_FUNCTION'],
    ['no function', { function: null }, 'VALIDATION_TYPE_ERROR'],
  ])('fails for %s', async (_what, params, code) => {
    expect(await smoke(params)).toMatchObject({ status: 'error', error_code: code });
    expect(wire.requests).toEqual([]);
  });

  it('may be repeated when the host is away', async () => {
    answerWith({ status: 500, body: {} });
    expect(await smoke({ args: { name: 'Ada' } })).toMatchObject({
      status: 'error',
      error_code: 'BACKEND_5XX',
      retryable: true,
    });
  });
});
