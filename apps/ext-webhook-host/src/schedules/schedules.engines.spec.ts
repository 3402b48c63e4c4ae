import type { JsonObject } from '@platform/app-document';
import type { AppSchedule, AppSchedulesResponse, ScheduleRun } from '@platform/contracts';
import { until, type TestService } from '@platform/testing';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { ExtensionError } from '@platform/extension-sdk/runtime';
import { RunsService } from '../runs/runs.service.js';
import { DocumentStore } from '../kernel/store/document-store.js';
import { HostTest, step } from '../testing/host.js';
import { ScheduleClockWorker } from './schedule-clock.worker.js';
import { ScheduleRunsService } from './schedule-runs.service.js';
import { scheduleQueue } from './schedules.jobs.js';

let host: HostTest;
let second: TestService;
beforeAll(async () => {
  jest.spyOn(scheduleQueue, 'backoff').mockReturnValue(1);
  host = await HostTest.start();
  second = await host.startSecondProcess();
});
afterEach(() => jest.restoreAllMocks());
beforeEach(() => jest.spyOn(scheduleQueue, 'backoff').mockReturnValue(1));
afterAll(async () => {
  await second.stop();
  await host.stop();
});

const schedule = (name: string, steps: JsonObject[], changes: JsonObject = {}) =>
  step(name, `schedule.${name}`, { cron: '0 3 * * *', steps, ...changes });
const note = (data: JsonObject) => step('note', 'store.create', { kind: 'ticks', data });

async function deploy(schedules: JsonObject[], changes: Partial<DeployedApp> = {}): Promise<DeployedApp> {
  const app = host.deploy({ steps: schedules }, changes);
  await host.announce(app.app_id, app);
  return app;
}

const path = (appId: string) => `/v1/internal/apps/${appId}/schedules`;
const list = async (appId: string) => (await host.backend().get<AppSchedulesResponse>(path(appId))).body.items;
const one = async (appId: string): Promise<AppSchedule> => (await list(appId))[0] as AppSchedule;
const runNow = (appId: string, name: string) =>
  host.backend().post<ScheduleRun & { code?: string }>(`${path(appId)}/${name}/run`);
/** Runs of an app's schedules, once there are `count` and all have ended. */
const runs = (appId: string, count = 1): Promise<ScheduleRun[]> =>
  until(async () => {
    const { recent_runs } = await one(appId);
    return recent_runs.length >= count && recent_runs.every(({ finished_at }) => finished_at !== null)
      ? recent_runs
      : null;
  });
const notes = (appId: string) =>
  host.service.query<{ user_id: string; data: JsonObject }>(
    "SELECT user_id, data FROM documents WHERE app_id = $1 AND collection = 'ticks' ORDER BY user_id",
    [appId],
  );
/** Makes the app's schedules due since `since`. */
const makeDue = (appId: string, since = "date_trunc('day', now()) - interval '21 hours'") =>
  host.service.query(`UPDATE schedules SET next_for = ${since}, due_at = ${since} WHERE app_id = $1`, [appId]);
const tick = (service: TestService = host.service) => service.app.get(ScheduleClockWorker).startDueRuns();

const DAY_MS = 24 * 3_600_000;
/** Time of the last 3:00 UTC. */
const lastNight = () => Math.floor((Date.now() - DAY_MS / 8) / DAY_MS) * DAY_MS + DAY_MS / 8;

describe('a schedule', () => {
  it('runs at its time as the app itself in the tenant of its developer, with what says when that was', async () => {
    const say = step('say', 'log.info', {
      message: '{{event.name}} {{event.trigger}} {{event.user_id}}{{user}} {{tenant_id}}',
    });
    const { app_id } = await deploy([schedule('nightly', [note({ at: '{{event.scheduled_for}}' }), say])]);
    const before = await one(app_id);
    expect(before).toMatchObject({ name: 'nightly', cron: '0 3 * * *', for_each_user: null, recent_runs: [] });
    expect(Date.parse(before.next_run_at as string)).toBeGreaterThan(Date.now());
    await makeDue(app_id, "date_trunc('day', now()) - interval '30 days 21 hours'");
    const lastTimes = [lastNight()];
    await tick();
    lastTimes.push(lastNight()); // differs if three o'clock has passed meanwhile
    const [run] = await runs(app_id);
    expect(run).toMatchObject({ status: 'succeeded', trigger: 'schedule', attempts: 1, error: null, users: null });
    expect(run?.duration_ms).toBeGreaterThanOrEqual(0);
    expect(await notes(app_id)).toEqual([{ user_id: '__system__', data: { at: run?.scheduled_for } }]);
    // Only the last of the missed times runs.
    const scheduledFor = new Date(run?.scheduled_for as string);
    expect(lastTimes).toContain(scheduledFor.getTime());
    const tomorrow = Date.parse((await one(app_id)).next_run_at as string) - scheduledFor.getTime();
    expect(tomorrow).toBeGreaterThanOrEqual(DAY_MS);
    expect(tomorrow).toBeLessThan(DAY_MS + 10_000); // 10 s: spread of the apps
    const logs = await until(async () => {
      const { items } = (await host.backend().get<{ items: { message: string }[] }>(`/v1/internal/apps/${app_id}/logs`))
        .body;
      return items.length && items;
    });
    expect(logs).toMatchObject([
      { message: 'nightly schedule  makers', kind: 'schedule', handler: 'nightly', user_id: null },
    ]);
  });

  it('runs exactly once for each of its times, however many processes look at once', async () => {
    const apps = await Promise.all(
      Array.from({ length: 12 }, () =>
        deploy([schedule('a', [note({})]), schedule('b', [note({})], { cron: '*/5 * * * *' })]),
      ),
    );
    const sinces = ["interval '2 days'", "interval '26 hours'"];
    for (const since of sinces) {
      for (const { app_id } of apps) await makeDue(app_id, `now() - ${since}`);
      await Promise.all(Array.from({ length: 8 }, (_value, at) => tick(at % 2 ? second : host.service)));
      for (const { app_id } of apps)
        await until(async () => (await list(app_id)).every(({ recent_runs }) => recent_runs[0]?.finished_at));
    }
    for (const { app_id } of apps) {
      const rows = await host.service.query<{ name: string; runs: number; times: number }>(
        `SELECT name, count(*)::int AS runs, count(DISTINCT scheduled_for)::int AS times FROM schedule_runs
         WHERE app_id = $1 AND status = 'succeeded' AND attempts = 1 GROUP BY name ORDER BY name`,
        [app_id],
      );
      const done = rows.reduce((sum, { runs }) => sum + runs, 0);
      for (const { runs, times } of rows) expect(runs).toBe(times);
      expect(await notes(app_id)).toHaveLength(done);
      expect(done).toBeGreaterThanOrEqual(2);
    }
  });

  it('that was begun by a process which is killed before it commits is begun by the next', async () => {
    const { app_id } = await deploy([schedule('nightly', [note({})])]);
    await makeDue(app_id);
    jest.spyOn(second.app.get(ScheduleRunsService), 'createRun').mockRejectedValueOnce(new Error('killed'));
    await tick(second).catch(() => undefined);
    await tick();
    expect(await runs(app_id)).toMatchObject([{ status: 'succeeded' }]);
    expect(await notes(app_id)).toHaveLength(1);
  });

  it('may be written in JavaScript, and be any of its users', async () => {
    const source = `export default async (event, ctx) => {
      const { data: users } = await ctx.store.listUsers('people');
      for (const id of users) {
        const asUser = await ctx.asUser(id);
        await asUser.store.create('ticks', { for: event.name });
        await ctx.notify.forUser(id).send({ message: 'Hi ' + id });
      }
    }`;
    const nightly = step('nightly', 'schedule.nightly', { cron: '0 3 * * *', code: { module: 'main' } });
    const app = host.deploy({ steps: [nightly], modules: { main: source } });
    const { app_id } = app;
    await host.announce(app_id, app);
    const store = host.service.app.get(DocumentStore);
    for (const userId of ['usr_a', 'usr_b'])
      await store.createDocument({ tenantId: 'makers', appId: app_id, userId }, 'people', {});
    await runNow(app_id, 'nightly');
    expect(await runs(app_id)).toMatchObject([{ status: 'succeeded', error: null }]);
    expect(await notes(app_id)).toEqual([
      { user_id: 'usr_a', data: { for: 'nightly' } },
      { user_id: 'usr_b', data: { for: 'nightly' } },
    ]);
    expect(host.gateway.notifications.slice(-2).map(({ user_id, message }) => [user_id, message])).toEqual([
      ['usr_a', 'Hi usr_a'],
      ['usr_b', 'Hi usr_b'],
    ]);
  });

  it('is tried three times, and says why it failed', async () => {
    const { app_id } = await deploy([
      schedule('nightly', [step('stop', 'control.fail', { error: 'No luck', code: 'NO_LUCK' })]),
    ]);
    await makeDue(app_id);
    await tick();
    expect(await runs(app_id)).toMatchObject([
      { status: 'failed', attempts: 3, error: expect.stringContaining('NO_LUCK') as string },
    ]);
  });

  it('is done again, not forgotten, when a process dies in the middle of it; and given up when that goes on', async () => {
    const { app_id } = await deploy([schedule('nightly', [note({})])]);
    const left = async (attempts: number, status: string) => {
      const [{ id }] = (await host.service.query<{ id: string }>(
        `INSERT INTO schedule_runs (id, app_id, name, trigger, scheduled_for, status, attempts, job_id, started_at)
         VALUES ('srn_left' || $2::integer, $1, 'nightly', 'schedule', now() - make_interval(days => $2::integer + 2), $3, $2::integer, 'job_left' || $2::integer, now())
         RETURNING id`,
        [app_id, attempts, status],
      )) as [{ id: string }];
      await host.service.query(
        `INSERT INTO outbox (id, queue, name, payload) VALUES ('job_left' || $2::integer, 'schedules', 'run', jsonb_build_object('run_id', $1::text))`,
        [id, attempts],
      );
      return until(async () => {
        const [row] = await host.service.query<{ status: string; error: string | null }>(
          'SELECT status, error FROM schedule_runs WHERE id = $1 AND finished_at IS NOT NULL',
          [id],
        );
        return row;
      });
    };
    expect(await left(1, 'running')).toEqual({ status: 'succeeded', error: null });
    expect(await notes(app_id)).toHaveLength(1);
    expect(await left(3, 'running')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('died') as string,
    });
    expect(await notes(app_id)).toHaveLength(1);
  });

  it('skips a time when the run before is not finished, and goes on with the one after', async () => {
    const { app_id } = await deploy([schedule('nightly', [note({})])]);
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    for (const { app } of [host.service, second]) {
      const original = app.get(RunsService).runSchedule.bind(app.get(RunsService));
      jest.spyOn(app.get(RunsService), 'runSchedule').mockImplementation(async (...parameters) => {
        await held;
        return original(...parameters);
      });
    }
    await makeDue(app_id, "now() - interval '3 days'");
    await tick();
    await makeDue(app_id, "now() + interval '1 hour'");
    await host.service.query('UPDATE schedules SET due_at = now() WHERE app_id = $1', [app_id]);
    await tick();
    await until(async () => (await one(app_id)).recent_runs.length === 2);
    expect((await one(app_id)).recent_runs[0]).toMatchObject({
      status: 'skipped',
      error: 'The run before it was not finished.',
    });
    letGo();
    expect((await runs(app_id, 2)).map(({ status }) => status)).toEqual(['skipped', 'succeeded']);
    expect(await notes(app_id)).toHaveLength(1);
  });

  it('is that of the version that runs: kept as it is due while its times stay, gone when it is no more', async () => {
    const app = await deploy([schedule('stays', [note({ version: 1 })]), schedule('goes', [note({})])]);
    const { app_id } = app;
    await host.service.query(
      "UPDATE schedules SET next_for = next_for + interval '7 days', due_at = due_at + interval '7 days' WHERE app_id = $1",
      [app_id],
    );
    const before = (await list(app_id)).find(({ name }) => name === 'stays');
    const changed = host.deploy(
      { steps: [schedule('stays', [note({ version: 2 })]), schedule('new', [note({})])] },
      { app_id },
    );
    await host.announce(app_id, changed);
    const after = await list(app_id);
    expect(after.map(({ name }) => name)).toEqual(['new', 'stays']);
    expect(after[1]?.next_run_at).toBe(before?.next_run_at);
    await runNow(app_id, 'stays');
    await until(async () => (await notes(app_id)).length);
    expect(await notes(app_id)).toMatchObject([{ data: { version: 2 } }]);
    const other = host.deploy({ steps: [schedule('stays', [note({})], { cron: '0 4 * * *' })] }, { app_id });
    await host.announce(app_id, other);
    expect((await one(app_id)).next_run_at).not.toBe(before?.next_run_at);
    await host.announce(app_id, null);
    expect(await list(app_id)).toEqual([]);
  });

  it('does not run while its app is suspended, runs for a draft, and goes on with the next time afterwards', async () => {
    const app = await deploy([schedule('nightly', [note({})])], { is_active: false });
    const { app_id } = app;
    await host.announce(app_id, app, { is_suspended: true });
    expect((await one(app_id)).next_run_at).toBeNull();
    expect(await runNow(app_id, 'nightly')).toMatchObject({ status: 409, body: { code: 'schedule.app_suspended' } });
    await tick();
    expect((await one(app_id)).recent_runs).toEqual([]);
    await host.announce(app_id, app);
    expect(Date.parse((await one(app_id)).next_run_at as string)).toBeGreaterThan(Date.now());
    expect((await runNow(app_id, 'nightly')).status).toBe(202);
    expect(await runs(app_id)).toMatchObject([{ status: 'succeeded', trigger: 'manual' }]);
  });

  it('runs at once when its developer says so, one at a time', async () => {
    const { app_id } = await deploy([schedule('nightly', [note({})])]);
    const answers = await Promise.all(Array.from({ length: 4 }, () => runNow(app_id, 'nightly')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(202);
    expect(statuses.filter((status) => status !== 202 && status !== 409)).toEqual([]);
    const taken = answers.find(({ status }) => status === 202);
    expect(taken?.body).toMatchObject({ status: 'pending', trigger: 'manual', attempts: 0, finished_at: null });
    const done = await runs(app_id, statuses.filter((status) => status === 202).length);
    expect(await notes(app_id)).toHaveLength(done.length);
    expect(await runNow(app_id, 'other')).toMatchObject({ status: 404, body: { code: 'schedule.not_found' } });
    expect(await runNow('another', 'nightly')).toMatchObject({ status: 404 });
    expect((await host.service.client().get(path(app_id))).status).toBe(401);
    expect((await host.service.client().post(`${path(app_id)}/nightly/run`)).status).toBe(401);
  });

  it('has nobody to notify', async () => {
    const { app_id } = await deploy([schedule('nightly', [step('tell', 'notify.send', { message: 'Hi' })])]);
    await makeDue(app_id);
    await tick();
    expect(await runs(app_id)).toMatchObject([
      { status: 'failed', error: expect.stringContaining('USER_MISSING') as string },
    ]);
  });
});

describe('a schedule for each user', () => {
  const USERS = 230;
  const scopeOf = (appId: string, userId: string) => ({ tenantId: 'makers', appId, userId });
  async function withUsers(steps: JsonObject[], count: number, changes: Partial<DeployedApp> = {}): Promise<string> {
    const { app_id } = await deploy([schedule('digest', steps, { for_each_user: 'ticks' })], changes);
    const store = host.service.app.get(DocumentStore);
    for (let at = 0; at < count; at++) await store.createDocument(scopeOf(app_id, `usr_${at}`), 'ticks', { at });
    return app_id;
  }

  it('runs once as each user who has a document, on both processes, and counts them', async () => {
    const steps = [
      step('mine', 'store.count', { kind: 'ticks' }),
      step('note', 'store.create', {
        kind: 'digests',
        data: { user: '{{user.platform_id}}', mine: '{{steps.mine.count}}' },
      }),
    ];
    const app_id = await withUsers(steps, USERS);
    await makeDue(app_id);
    await Promise.all([tick(), tick(second)]);
    expect(await runs(app_id)).toMatchObject([
      { status: 'succeeded', users: { total: USERS, succeeded: USERS, failed: 0 } },
    ]);
    const made = await host.service.query<{ user_id: string; data: JsonObject }>(
      "SELECT user_id, data FROM documents WHERE app_id = $1 AND collection = 'digests'",
      [app_id],
    );
    expect(made).toHaveLength(USERS);
    expect(new Set(made.map(({ user_id }) => user_id)).size).toBe(USERS);
    for (const { user_id, data } of made) expect(data).toEqual({ user: user_id, mine: 1 });
    expect(
      await host.service.query(
        'SELECT FROM schedule_user_runs r JOIN schedule_runs s ON s.id = r.run_id WHERE s.app_id = $1',
        [app_id],
      ),
    ).toEqual([]);
  });

  it('runs for nobody when its version does not ask to act for users', async () => {
    const app_id = await withUsers([step('note', 'store.create', { kind: 'digests', data: {} })], 2, {
      capabilities: ['store'],
    });
    await makeDue(app_id);
    await tick();
    expect(await runs(app_id)).toMatchObject([
      { status: 'failed', error: expect.stringContaining('CAPABILITY_NOT_DECLARED') as string },
    ]);
    expect(
      await host.service.query("SELECT 1 FROM documents WHERE app_id = $1 AND collection = 'digests'", [app_id]),
    ).toEqual([]);
    expect(
      await host.service.query(
        'SELECT FROM schedule_user_runs r JOIN schedule_runs s ON s.id = r.run_id WHERE s.app_id = $1',
        [app_id],
      ),
    ).toEqual([]);
  });

  it('fails for those for whom it fails, and does the others', async () => {
    const steps = [
      step('which', 'control.if', {
        if: { field: '{{user.platform_id}}', eq: 'usr_1' },
        then: [step('stop', 'control.fail', { error: 'Not for you' })],
        else: 'note',
      }),
      step('note', 'store.create', { kind: 'digests', data: {} }),
    ];
    const app_id = await withUsers(steps, 3);
    await runNow(app_id, 'digest');
    expect(await runs(app_id)).toMatchObject([
      {
        status: 'failed',
        users: { total: 3, succeeded: 2, failed: 1 },
        error: expect.stringContaining('Not for you') as string,
      },
    ]);
    const made = await host.service.query<{ user_id: string }>(
      "SELECT user_id FROM documents WHERE app_id = $1 AND collection = 'digests' ORDER BY user_id",
      [app_id],
    );
    expect(made.map(({ user_id }) => user_id)).toEqual(['usr_0', 'usr_2']);
  });

  it('goes on after the users that were taken, when a process dies among them', async () => {
    const app_id = await withUsers([step('note', 'store.create', { kind: 'digests', data: {} })], 250);
    const store = host.service.app.get(DocumentStore);
    let pages = 0;
    for (const { app } of [host.service, second]) {
      const original = app.get(DocumentStore).listUsers.bind(store);
      jest.spyOn(app.get(DocumentStore), 'listUsers').mockImplementation(async (...parameters) => {
        if (++pages === 2) throw new Error('killed');
        return original(...parameters);
      });
    }
    await makeDue(app_id);
    await tick();
    expect(await runs(app_id)).toMatchObject([
      { status: 'succeeded', users: { total: 250, succeeded: 250, failed: 0 } },
    ]);
    expect(pages).toBe(4);
  });

  it('is done when nobody has a document', async () => {
    const app_id = await withUsers([note({})], 0);
    await makeDue(app_id);
    await tick();
    expect(await runs(app_id)).toMatchObject([{ status: 'succeeded', users: { total: 0, succeeded: 0, failed: 0 } }]);
  });
});

describe('what is left of runs', () => {
  it('is forgotten after 14 days, and given up when its job is lost', async () => {
    const { app_id } = await deploy([schedule('nightly', [note({})])]);
    await runNow(app_id, 'nightly');
    await runs(app_id);
    await host.service.query("UPDATE schedule_runs SET finished_at = now() - interval '15 days' WHERE app_id = $1", [
      app_id,
    ]);
    await host.service.query(
      `INSERT INTO schedule_runs (id, app_id, name, trigger, scheduled_for, status, job_id)
       VALUES ('srn_lost', $1, 'nightly', 'schedule', now(), 'running', 'job_lost')`,
      [app_id],
    );
    const scheduleRuns = host.service.app.get(ScheduleRunsService);
    expect(await scheduleRuns.deleteOldRuns()).toBe(1);
    await scheduleRuns.failLostRuns();
    expect((await one(app_id)).recent_runs).toMatchObject([
      { run_id: 'srn_lost', status: 'failed', error: 'Its job was lost.' },
    ]);
  });

  it('says nothing of faults of the platform', async () => {
    const { app_id } = await deploy([schedule('nightly', [note({})])]);
    for (const { app } of [host.service, second])
      jest.spyOn(app.get(RunsService), 'runSchedule').mockRejectedValue(new Error('postgres://secret'));
    await runNow(app_id, 'nightly');
    expect(await runs(app_id)).toMatchObject([{ status: 'failed', error: 'Something went wrong on the platform.' }]);
    for (const { app } of [host.service, second]) {
      jest.spyOn(app.get(RunsService), 'runSchedule').mockRejectedValue(new ExtensionError('MINE', 'Oh'));
    }
    await runNow(app_id, 'nightly');
    expect((await runs(app_id, 2))[0]).toMatchObject({ status: 'failed', error: 'MINE: Oh' });
  });
});
