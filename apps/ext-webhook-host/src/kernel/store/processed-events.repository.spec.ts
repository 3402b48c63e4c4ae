import { RetentionService } from '@platform/persistence';
import { startHostDatabase, type HostDatabase } from '../../testing/host-database.js';
import { OnceEvents, ProcessedEventsRepository, type EventRun } from './processed-events.repository.js';

let database: HostDatabase;
let events: ProcessedEventsRepository;
beforeAll(async () => {
  database = await startHostDatabase();
  events = new ProcessedEventsRepository(database.dataSource, new RetentionService(database.dataSource));
});
afterAll(() => database.stop());

let runs = 0;
const newRun = (appId: string, changes: Partial<EventRun> = {}) =>
  new OnceEvents(events, {
    tenantId: 'acme',
    appId,
    runId: `run_${++runs}`,
    maxSeconds: 60,
    delivery: null,
    ...changes,
  });
const newApp = () => `app-${++runs}`;
const expire = (appId: string) =>
  database.dataSource.query('UPDATE processed_events SET expires_at = now() WHERE app_id = $1', [appId]);

describe('once', () => {
  it('is true for the first run and false for every later one', async () => {
    const app = newApp();
    const first = newRun(app);
    expect(await first.once('evt_1')).toBe(true);
    expect(await first.once('evt_1')).toBe(false);
    await first.finishEvents(true);
    expect(await newRun(app).once('evt_1')).toBe(false);
    expect(await newRun(app).once('evt_2')).toBe(true);
  });

  it('is of one app in one tenant', async () => {
    const app = newApp();
    const run = newRun(app);
    await run.once('evt_1');
    await run.finishEvents(true);
    expect(await newRun(newApp()).once('evt_1')).toBe(true);
    expect(await newRun(app, { tenantId: 'globex' }).once('evt_1')).toBe(true);
  });

  it('lets one of many racing runs through, and the others try again', async () => {
    const app = newApp();
    const racing = Array.from({ length: 20 }, () => newRun(app));
    const answers = await Promise.allSettled(racing.map((run) => run.once('evt_1')));
    expect(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))).toEqual([true]);
    for (const answer of answers) {
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ code: 'EVENT_IN_PROGRESS', retryable: true });
    }
    await Promise.all(racing.map((run) => run.finishEvents(true)));
    expect(await newRun(app).once('evt_1')).toBe(false);
  });

  it('leaves an event of a run that failed to the next attempt', async () => {
    const app = newApp();
    const failed = newRun(app);
    await failed.once('evt_1');
    await failed.finishEvents(false);
    expect(await newRun(app).once('evt_1')).toBe(true);
  });

  it('leaves an event of a run that was killed to a later attempt, and the run can then no longer finish it', async () => {
    const app = newApp();
    const killed = newRun(app);
    await killed.once('evt_1');
    await expire(app);
    const next = newRun(app);
    expect(await next.once('evt_1')).toBe(true);
    await killed.finishEvents(true);
    await expect(newRun(app).once('evt_1')).rejects.toMatchObject({ code: 'EVENT_IN_PROGRESS' });
    const late = newRun(app);
    await late.finishEvents(false);
    await next.finishEvents(true);
    await killed.finishEvents(false);
    expect(await newRun(app).once('evt_1')).toBe(false);
  });

  it('gives an event of a run that was killed at once to the next attempt at the same delivery, and to nobody else', async () => {
    const app = newApp();
    const killed = newRun(app, { delivery: 'job_1' });
    await killed.once('evt_1');
    for (const delivery of ['job_2', null]) {
      await expect(newRun(app, { delivery }).once('evt_1')).rejects.toMatchObject({ code: 'EVENT_IN_PROGRESS' });
    }
    const attempts = [1, 2, 3].map(() => newRun(app, { delivery: 'job_1' }));
    for (const attempt of attempts) expect(await attempt.once('evt_1')).toBe(true);
    for (const late of [killed, ...attempts.slice(0, 2)]) await late.finishEvents(true);
    await expect(newRun(app).once('evt_1')).rejects.toMatchObject({ code: 'EVENT_IN_PROGRESS' });
    await attempts[2]?.finishEvents(true);
    expect(await newRun(app, { delivery: 'job_1' }).once('evt_1')).toBe(false);
  });

  it('gives what is made since the same ids in each attempt, until one has succeeded', async () => {
    const app = newApp();
    const ids = async (run: OnceEvents, event = 'evt_1') => {
      await run.once(event, 60);
      return ['documents', 'events', 'documents'].map((kind) => run.deriveUuid(kind));
    };
    const killed = newRun(app);
    const first = await ids(killed);
    expect(new Set(first).size).toBe(3);
    for (const id of first) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect((first[0] as string) < (first[2] as string)).toBe(true);
    await expire(app);
    await events.deleteExpiredEvents();
    const failed = newRun(app);
    expect(await ids(failed)).toEqual(first);
    await failed.finishEvents(false);
    await events.deleteExpiredEvents();
    const last = newRun(app);
    expect(await ids(last)).toEqual(first);
    const other = await ids(last, 'evt_2');
    expect(other.some((id) => first.includes(id))).toBe(false);
    await last.finishEvents(true);
    await expire(app);
    const again = await ids(newRun(app));
    expect(again.some((id) => first.includes(id))).toBe(false);
    const without = newRun(app);
    expect(without.deriveUuid('documents')).not.toBe(without.deriveUuid('documents'));
  });

  it('remembers as long as it was told, then sweeps', async () => {
    const app = newApp();
    const run = newRun(app);
    await run.once('short', 60);
    await run.once('usual');
    await run.finishEvents(true);
    const kept = await database.dataSource.query<object[]>(
      `SELECT event_id, round(extract(epoch FROM expires_at - now()) / 60)::int AS minutes FROM processed_events WHERE app_id = $1 ORDER BY 1`,
      [app],
    );
    expect(kept).toEqual([
      { event_id: 'short', minutes: 1 },
      { event_id: 'usual', minutes: 7 * 24 * 60 },
    ]);
    await expire(app);
    expect(await events.deleteExpiredEvents()).toBeGreaterThanOrEqual(2);
    expect(await newRun(app).once('short')).toBe(true);
    await expire(app);
    await events.deleteExpiredEvents();
    const left = () => database.dataSource.query('SELECT event_id FROM processed_events WHERE app_id = $1', [app]);
    expect(await left()).toEqual([{ event_id: 'short' }]);
    await database.dataSource.query(
      "UPDATE processed_events SET expires_at = now() - interval '25 hours' WHERE app_id = $1",
      [app],
    );
    await events.deleteExpiredEvents();
    expect(await left()).toEqual([]);
  });

  it.each(['', 'a'.repeat(256), 'a\0', '\ud83d', undefined])('refuses the id %j', async (id) => {
    await expect(newRun(newApp()).once(id as string)).rejects.toMatchObject({ code: 'EVENT_ID_INVALID' });
  });

  it.each([0, 59, 30 * 86_400 + 1, NaN])('refuses to remember for %d seconds', async (seconds) => {
    await expect(newRun(newApp()).once('evt_1', seconds)).rejects.toMatchObject({ code: 'EVENT_RETENTION_INVALID' });
  });
});
