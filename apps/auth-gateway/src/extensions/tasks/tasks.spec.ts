import { LedgerService, WalletsRepository } from '@platform/billing';
import type {
  ActiveTasksResponse,
  CallResponse,
  KeyResponse,
  RunProgressResponse,
  TaskResponse,
} from '@platform/contracts';
import { Outbox } from '@platform/persistence';
import { newId } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import { ExtensionHostClient } from '../../kernel/peers/extension-host/extension-host.client.js';
import { setPrices, tool } from '../../testing/apps.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { createRunGrant } from '../../testing/run-grants.js';
import { FakeRunHost, SUCCESS } from '../../testing/fake-run-host.js';
import { createTenant } from '../../testing/tenants.js';
import { PlatformEventsService } from '../events/platform-events.service.js';
import { asNewEvent } from '../../testing/events.js';
import { TasksWorker } from './tasks.worker.js';
import { TaskStatesService } from './task-states.service.js';

let host: FakeRunHost;
let platform: RegistryTest;
let user: TestUser;
let client: TestClient;
let appId: string;
beforeAll(async () => {
  host = await FakeRunHost.start();
  platform = await RegistryTest.start({
    WORKERS: 'inline',
    EXT_WEBHOOK_HOST_URL: host.url,
    SHUTDOWN_TIMEOUT_SECONDS: '2',
  });
});
beforeEach(async () => {
  user = await platform.gateway.user();
  client = await platform.gateway.signIn(user);
  appId = await installed();
});
afterEach(() => host.reset());
afterAll(async () => {
  await platform.stop();
  await host.stop();
});

const query = <Row>(sql: string, values: unknown[] = []) => platform.gateway.service.query<Row>(sql, values);
const TOOLS = [
  tool('search', { params_schema: { type: 'object', properties: { n: { type: 'integer' } } } }),
  tool('create', { action_type: 'write' }),
];
const ASYNC = { headers: { Prefer: 'respond-async' } };
const NOT_FOUND = { status: 404, body: { code: 'task.not_found' } };

async function installed(as = client): Promise<string> {
  const { app_id } = await createRegisteredApp(platform, { tools: TOOLS, document: {} });
  expect((await as.post(`/v1/marketplace/apps/${app_id}/install`, {})).status).toBe(200);
  return app_id;
}

type Answer = CallResponse & { task_id: string; code?: string };
const call = (name = 'search', { as = client, of = user, params = {}, options = ASYNC, app = appId } = {}) =>
  as.post<Answer>(`/v1/extensions/${app}/call`, { user_id: of.id, function: name, params }, options);
const read = (id: string, as = client) => as.get<TaskResponse & { code?: string }>(`/v1/tasks/${id}`);
const cancel = (id: string, as = client) => as.post<{ status: string; code?: string }>(`/v1/tasks/${id}/cancel`);
const active = async (as = client): Promise<TaskResponse[]> =>
  (await as.get<ActiveTasksResponse>('/v1/tasks/active')).body.tasks;
const withStatus = (id: string, status: string) =>
  until(async () => {
    const { body } = await read(id);
    return body.status === status ? body : null;
  });
async function started(name = 'search', params = {}): Promise<string> {
  const answer = await call(name, { params });
  expect(answer.status).toBe(202);
  return answer.body.task_id;
}
/** Holds all runs until the returned function is called. */
function holdRuns(answer: CallResponse = SUCCESS): () => void {
  let letGo = (): void => undefined;
  const over = new Promise<void>((done) => (letGo = done));
  host.answer = () => over.then(() => answer);
  return letGo;
}
/** A task with a run that has reached the host. */
async function running(name = 'search'): Promise<string> {
  const id = await started(name);
  await withStatus(id, 'running');
  await until(() => host.lastRun?.app_id === appId);
  return id;
}
const events = (id: string) =>
  query<{ status: string; source_type: string; error_code: string | null }>(
    "SELECT payload ->> 'status' AS status, payload ->> 'error_code' AS error_code, source_type FROM platform_events WHERE type = 'task_update' AND payload ->> 'task_id' = $1 ORDER BY insert_number",
    [id],
  );
const progress = (grant: string | undefined, percent: number, message?: string) =>
  platform.gateway.backend().post<RunProgressResponse & { code?: string }>('/v1/internal/task-progress', {
    grant,
    percent,
    ...(message && { message }),
  });

describe('a call that prefers to go on after its request', () => {
  it('is accepted, runs for longer than others may, and is kept with what it gave', async () => {
    const answer = await call('search', {
      params: { n: 7 },
      options: { headers: { Prefer: 'wait=5, Respond-Async' } },
    });
    expect(answer).toMatchObject({ status: 202, body: { task_id: expect.stringMatching(/^tsk_/), status: 'queued' } });
    const { task_id: id } = answer.body;
    expect(answer.headers.get('location')).toBe(`/v1/tasks/${id}`);
    expect(answer.headers.get('preference-applied')).toBe('respond-async');
    expect(await withStatus(id, 'succeeded')).toEqual({
      ...{ task_id: id, status: 'succeeded', app_id: appId, function: 'search', progress: 100, message: null },
      result: { ...SUCCESS, data: { n: 7 } },
      ...{ created_at: expect.any(String), updated_at: expect.any(String), finished_at: expect.any(String) },
    });
    expect(host.lastRun).toMatchObject({ is_task: true, timeout_ms: 174_600, user: { user_id: user.id } });
    expect(await active()).toEqual([]);
    expect((await events(id)).map(({ status, source_type }) => `${source_type} ${status}`)).toEqual([
      'task queued',
      'task running',
      'task succeeded',
    ]);
    const [action] = await query<{ status: string; via: string }>(
      "SELECT status, details ->> 'via' AS via FROM actions WHERE app_id = $1",
      [appId],
    );
    expect(action).toEqual({ status: 'success', via: 'task' });
  });

  it('is told to whoever follows the user, and to no app or automation', async () => {
    const { app } = platform.gateway.service;
    const heard: string[] = [];
    app.get(PlatformEventsService).onEvent('tasks-spec', ({ type, userId }) => {
      if (userId === user.id) heard.push(type);
      return Promise.resolve();
    });
    const post = jest.spyOn(app.get(ExtensionHostClient), 'postEvent');
    await withStatus(await started(), 'succeeded');
    await app
      .get(Outbox)
      .transaction((em) =>
        app
          .get(PlatformEventsService)
          .publish(em, asNewEvent({ type: 'system.last', tenantId: 'default', userId: user.id, data: {} })),
      );
    const posted = () => post.mock.calls.filter(([{ user_id }]) => user_id === user.id).map(([{ type }]) => type);
    await until(() => heard.includes('system.last') && posted().includes('system.last'));
    expect(heard).not.toContain('task_update');
    expect(posted()).not.toContain('task_update');
    post.mockRestore();
  });

  it('that fails is a task that failed, and its event says by which code', async () => {
    host.answer = () => ({ ...SUCCESS, status: 'error', error: 'No paper.', error_code: 'OUT_OF_PAPER' });
    const id = await started();
    expect(await withStatus(id, 'failed')).toMatchObject({
      result: { status: 'error', error_code: 'OUT_OF_PAPER' },
      progress: 0,
    });
    expect((await events(id)).map(({ error_code }) => error_code)).toEqual([null, null, 'OUT_OF_PAPER']);
  });

  it('is answered at once where it cannot be a task, and without the preference', async () => {
    for (const [name, params, error_code] of [
      ['none', {}, 'UNKNOWN_SUB_FUNCTION'],
      ['search', { n: 'seven' }, 'VALIDATION_TYPE_ERROR'],
    ] as const) {
      const answer = await call(name, { params });
      expect(answer).toMatchObject({ status: 200, body: { error_code } });
      expect(answer.headers.get('preference-applied')).toBeNull();
    }
    expect(await call('get_balance', { app: 'billing' })).toMatchObject({ status: 200 });
    for (const Prefer of ['', 'respond-async=1', 'return=minimal', 'respond'])
      expect(await call('search', { options: { headers: { Prefer } } })).toMatchObject({
        status: 200,
        body: { status: 'success' },
      });
    expect(host.lastRun?.is_task).toBeUndefined();
    expect(await call('search', { app: 'no-such-app' })).toMatchObject({ status: 404 });
  });

  it('keeps what it gave up to a size', async () => {
    host.answer = () => ({ ...SUCCESS, data: 'x'.repeat(300_000), summary: 'Done.' });
    const { result } = await withStatus(await started(), 'succeeded');
    expect(result).toMatchObject({ status: 'success', data: null, summary: expect.stringContaining('256 KiB') });
  });

  it('is kept for a day, of a user the newest hundred', async () => {
    const id = await started();
    await withStatus(id, 'succeeded');
    await query(
      `INSERT INTO tasks (id, user_id, tenant_id, app_id, function, is_repeatable, slot, status, result, finished_at)
       SELECT 'tsk_' || $1 || n, $1, 'default', $2, 'search', true, 1, 'failed', '{}', now() + n * interval '1 second' FROM generate_series(1, 100) AS n`,
      [user.id, appId],
    );
    expect((await read(id)).status).toBe(200);
    await started();
    expect(await read(id)).toMatchObject(NOT_FOUND);
  });
});

describe('tasks are their user’s', () => {
  it('to see, and nobody else’s', async () => {
    const letGo = holdRuns();
    const id = await running();
    const other = await platform.gateway.signIn(await platform.gateway.user());
    const { id: tenant_id } = await createTenant(platform.gateway.backend());
    const foreign = await platform.gateway.signIn(await platform.gateway.user({ tenant_id }));
    for (const stranger of [other, foreign]) {
      expect(await read(id, stranger)).toMatchObject(NOT_FOUND);
      expect(await cancel(id, stranger)).toMatchObject(NOT_FOUND);
      expect(await active(stranger)).toEqual([]);
    }
    expect((await platform.gateway.client().get(`/v1/tasks/${id}`)).status).toBe(401);
    const backend = platform.gateway.backend();
    expect((await backend.get(`/v1/tasks/active?user_id=${user.id}`)).body).toMatchObject({
      tasks: [{ task_id: id, status: 'running' }],
    });
    expect((await read(id, platform.gateway.actingFor(user.id))).status).toBe(200);
    expect((await client.get(`/v1/tasks/active?user_id=usr_other`)).status).toBe(403);
    letGo();
    await withStatus(id, 'succeeded');
  });

  it('to see by API key with the scope for it, and none runs for a key that is gone', async () => {
    const { body: key } = await client.post<KeyResponse>('/v1/keys', {
      name: 'agent',
      scopes: 'extensions:call,tasks:read',
    });
    const withKey = platform.gateway.client().withHeaders({ 'x-api-key': key.key });
    const { status, body } = await call('search', { as: withKey });
    expect(status).toBe(202);
    await withStatus(body.task_id, 'succeeded');
    expect((await read(body.task_id, withKey)).status).toBe(200);
    expect((await cancel(body.task_id, withKey)).status).toBe(403);
    expect(host.lastRun?.user?.scopes).toEqual([]);
    const begin = jest
      .spyOn(platform.gateway.service.app.get(TaskStatesService), 'startTask')
      .mockResolvedValueOnce(null);
    const { body: second } = await call('search', { as: withKey });
    await until(() => begin.mock.calls.length);
    begin.mockRestore();
    await client.delete(`/v1/keys/${key.id}`);
    await runs().runTask(second.task_id);
    expect(await withStatus(second.task_id, 'failed')).toMatchObject({ result: { error_code: 'KEY_GONE' } });
  });
});

const runs = () => platform.gateway.service.app.get<{ runTask(id: string): Promise<void> }>(TasksWorker);

it('a user has as many at once as their role says, however many they ask for', async () => {
  const letGo = holdRuns();
  const answers = await Promise.all(Array.from({ length: 50 }, () => call()));
  const accepted = answers.filter(({ status }) => status === 202);
  expect(accepted).toHaveLength(3);
  for (const answer of answers.filter(({ status }) => status !== 202)) {
    expect(answer).toMatchObject({ status: 429, body: { code: 'task.too_many', limit: 3 } });
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  expect(await active()).toHaveLength(3);
  const [row] = await query<{ slots: number[] }>(
    'SELECT array_agg(slot ORDER BY slot) AS slots FROM tasks WHERE user_id = $1',
    [user.id],
  );
  expect(row?.slots).toEqual([1, 2, 3]);
  const [first] = accepted;
  await cancel(String(first?.body.task_id));
  await withStatus(String(first?.body.task_id), 'cancelled');
  expect((await call()).status).toBe(202);
  expect((await call()).status).toBe(429);
  letGo();
  await until(async () => !(await active()).length);
});

describe('cancelling', () => {
  it('one that runs for nothing ends its run, and a second time changes nothing', async () => {
    holdRuns();
    const id = await running();
    const { aborted } = host;
    expect(await cancel(id)).toMatchObject({ status: 200, body: { task_id: id, status: 'cancelling' } });
    expect(await withStatus(id, 'cancelled')).toMatchObject({ result: null, finished_at: expect.any(String) });
    await until(() => host.aborted === aborted + 1);
    expect(await cancel(id)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect((await events(id)).map(({ status }) => status)).toEqual(['queued', 'running', 'cancelling', 'cancelled']);
  });

  it('one that waits has it never begin; one that is over stays as it is', async () => {
    const begin = jest
      .spyOn(platform.gateway.service.app.get(TaskStatesService), 'startTask')
      .mockResolvedValueOnce(null);
    const id = await started();
    await until(() => begin.mock.calls.length);
    begin.mockRestore();
    const before = host.runs.length;
    expect(await cancel(id)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    await runs().runTask(id);
    expect(host.runs).toHaveLength(before);
    const done = await started();
    await withStatus(done, 'succeeded');
    expect(await cancel(done)).toMatchObject({ status: 409, body: { code: 'task.finished' } });
    expect(await cancel('tsk_none')).toMatchObject(NOT_FOUND);
  });
});

describe('a task that costs something', () => {
  const balance = async (): Promise<number[]> => {
    const [wallet] = await query<Record<string, string>>(
      "SELECT balance, held FROM wallets WHERE user_id = $1 AND kind = 'user'",
      [user.id],
    );
    return [Number(wallet?.['balance']), Number(wallet?.['held'])];
  };
  beforeEach(async () => {
    const { app } = platform.gateway.service;
    const walletId = await app.get(WalletsRepository).ensureWallet(user.id);
    await app.get(LedgerService).credit(walletId, {
      amount: 50,
      earns: true,
      key: newId('given'),
      kind: 'admin_adjustment',
      source: 'adjustment',
    });
    const { app_id } = await createRegisteredApp(platform, { tools: TOOLS, document: {} });
    await setPrices(platform.gateway, app_id, { perCall: { search: 20, create: 100 } });
    expect((await client.post(`/v1/marketplace/apps/${app_id}/install`, {})).status).toBe(200);
    appId = app_id;
  });

  it('is charged once it has succeeded, and refused at once where it cannot be paid', async () => {
    const letGo = holdRuns();
    const id = await running();
    expect(await balance()).toEqual([50, 20]);
    letGo();
    await withStatus(id, 'succeeded');
    expect(await balance()).toEqual([30, 0]);
    expect(await call('create')).toMatchObject({ status: 402 });
    expect(await active()).toEqual([]);
  });

  it('goes on when it is cancelled, and is charged if it succeeds all the same', async () => {
    const letGo = holdRuns();
    const id = await running();
    const { aborted } = host;
    await cancel(id);
    expect((await read(id)).body.status).toBe('cancelling');
    expect((await progress(host.lastRun?.grant, 90)).body).toEqual({ is_cancelled: true });
    letGo();
    await withStatus(id, 'succeeded');
    expect(host.aborted).toBe(aborted);
    expect(await balance()).toEqual([30, 0]);
  });

  it('costs nothing when its function gives up since it was cancelled', async () => {
    const letGo = holdRuns({ ...SUCCESS, status: 'error', error: 'Nobody wants it.', error_code: 'TASK_CANCELLED' });
    const id = await running();
    await cancel(id);
    letGo();
    await withStatus(id, 'cancelled');
    expect(await balance()).toEqual([50, 0]);
  });
});

describe('how far a task is', () => {
  it('is what its function says, told to the user now and then', async () => {
    const letGo = holdRuns();
    const id = await running();
    const grant = host.lastRun?.grant;
    expect(await progress(grant, 10, 'Reading')).toMatchObject({ status: 200, body: { is_cancelled: false } });
    expect((await read(id)).body).toMatchObject({ progress: 10, message: 'Reading' });
    await progress(grant, 40);
    expect((await read(id)).body).toMatchObject({ progress: 40, message: 'Reading' });
    expect((await events(id)).map(({ status }) => status)).toEqual(['queued', 'running', 'running']);
    for (const percent of [-1, 101, 0.5]) expect((await progress(grant, percent)).status).toBe(422);
    letGo();
    await withStatus(id, 'succeeded');
    expect(await progress(grant, 50)).toMatchObject({ status: 403, body: { code: 'run_grant.ended' } });
  });

  it('is said by the run of a task alone', async () => {
    const grant = await createRunGrant(platform.gateway.service, appId, { userId: user.id });
    expect(await progress(grant, 5)).toMatchObject({ status: 409, body: { code: 'task.none' } });
    const ofNone = await createRunGrant(platform.gateway.service, appId, { userId: user.id, taskId: 'tsk_none' });
    expect(await progress(ofNone, 5)).toMatchObject({ status: 200, body: { is_cancelled: true } });
    expect((await client.post('/v1/internal/task-progress', { grant, percent: 5 })).status).toBe(401);
  });
});

describe('when the process ends that runs it', () => {
  /** Simulates a worker that was killed during the run; its job comes again. */
  async function killed(name: string): Promise<string> {
    holdRuns();
    const id = await running(name);
    await query("UPDATE tasks SET run_id = 'run_dead', lease_until = now() - interval '1 second' WHERE id = $1", [id]);
    return id;
  }

  it('a function that writes is not run again', async () => {
    const id = await killed('create');
    const before = host.runs.length;
    await runs().runTask(id);
    expect(await withStatus(id, 'failed')).toMatchObject({
      result: { error_code: 'TASK_INTERRUPTED', retryable: true },
    });
    expect(host.runs).toHaveLength(before);
  });

  it('one that only reads is, a few times', async () => {
    const id = await killed('search');
    host.reset();
    await Promise.all([runs().runTask(id), runs().runTask(id)].map((run) => run.catch(() => undefined)));
    expect(await withStatus(id, 'succeeded')).toMatchObject({ result: { status: 'success' } });
    expect(host.runs.filter(({ app_id }) => app_id === appId)).toHaveLength(2);
    const last = await killed('search');
    await query('UPDATE tasks SET attempts = 3 WHERE id = $1', [last]);
    await runs().runTask(last);
    expect(await withStatus(last, 'failed')).toMatchObject({ result: { error_code: 'TASK_INTERRUPTED' } });
  });

  it('nobody else takes it before it is taken for dead', async () => {
    const letGo = holdRuns();
    const id = await running('create');
    const before = host.runs.length;
    await expect(runs().runTask(id)).rejects.toThrow('Another process runs the task');
    expect(host.runs).toHaveLength(before);
    letGo();
    await withStatus(id, 'succeeded');
  });

  it('the place of one whose job never comes again is free, and of one that never began', async () => {
    const id = await killed('search');
    await query("UPDATE tasks SET lease_until = now() - interval '2 minutes' WHERE id = $1", [id]);
    const begin = jest
      .spyOn(platform.gateway.service.app.get(TaskStatesService), 'startTask')
      .mockResolvedValueOnce(null);
    const waiting = await started();
    await until(() => begin.mock.calls.length);
    begin.mockRestore();
    await query("UPDATE tasks SET created_at = now() - interval '61 minutes' WHERE id = $1", [waiting]);
    await platform.gateway.service.app.get(TaskStatesService).endAbandonedTasks();
    expect(await withStatus(id, 'failed')).toMatchObject({ result: { error_code: 'TASK_INTERRUPTED' } });
    expect(await withStatus(waiting, 'failed')).toMatchObject({ result: { error_code: 'TASK_NOT_STARTED' } });
  });

  // Last test: after it this process starts no task.
  it('and says so first, what is not done by then is interrupted', async () => {
    holdRuns();
    const id = await running('create');
    platform.gateway.service.app.get(TasksWorker).onModuleDestroy();
    expect(await withStatus(id, 'failed')).toMatchObject({ result: { error_code: 'TASK_INTERRUPTED' } });
  });
});
