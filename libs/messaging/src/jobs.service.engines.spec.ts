import { Outbox } from '@platform/persistence';
import { currentContext, ReadinessService } from '@platform/platform';
import { deleteQueueData, TestService, until, TestProxy } from '@platform/testing';
import { Queue, type Worker } from 'bullmq';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ENTRIES_ADDED, JobsService, SCHEDULE_CHECKS } from './jobs.service.js';
import { BroadcastService } from './broadcast.service.js';
import { OutboxRelay } from './outbox-relay.js';
import { Postponed, type JobHandlers, type JobInfo } from './queue-definition.js';
import { PermanentFailure, QueueEngine } from './queue-engine.js';
import {
  age,
  allDone,
  define,
  enqueue,
  entries,
  entry,
  INLINE,
  isDispatched,
  isQueued,
  metric,
  nothing,
  OFF,
  pauseQueue,
  resumeQueue,
  stage,
  start,
  stopServices,
  withQueue,
  type Work,
  workQueue,
} from './testing/work.js';

const noted = (_count: number) => Promise.resolve();

/** Removes the proxy that a test put between the service and its queue. */
let release: () => Promise<void> = nothing;
let mayLoseJobs = false;
afterEach(async () => {
  jest.restoreAllMocks();
  await stopServices({ mayLoseJobs });
  mayLoseJobs = false;
  await release();
  release = nothing;
});

/** Creates a table that counts the effects of jobs. */
async function withEffects(service: TestService): Promise<TestService> {
  await service.query('CREATE TABLE effects (key text PRIMARY KEY, runs integer NOT NULL DEFAULT 1)');
  return service;
}
const EFFECT = 'INSERT INTO gateway.effects AS e (key) VALUES ($1) ON CONFLICT (key) DO UPDATE SET runs = e.runs + 1';
const effect = async (service: TestService, key: string): Promise<void> => {
  await service.query(EFFECT, [key]);
};
const effects = (service: TestService) =>
  service.query<{ key: string; runs: number }>('SELECT key, runs FROM effects ORDER BY key');

/**
 * Waits until the subscription is connected: the process notifies itself directly, so the second
 * notification comes from the subscription.
 */
async function subscribed(service: TestService): Promise<void> {
  const broadcast = service.app.get(BroadcastService);
  let heard = 0;
  let published = 0;
  broadcast.subscribe('connected', () => heard++);
  await until(async () => {
    await broadcast.publish('connected', ['?']);
    return heard > ++published;
  });
}

describe('a job', () => {
  it('runs once its transaction has committed, not before, and leaves no entry', async () => {
    const ran: string[] = [];
    const infos: (JobInfo & { requestId: string | undefined })[] = [];
    const service = await start({
      do: ({ key }, info) => {
        ran.push(key);
        infos.push({ ...info, requestId: currentContext()?.requestId });
        return Promise.resolve();
      },
    });
    const id = await service.app.get(Outbox).transaction(async (em) => {
      const added = await service.app.get(JobsService).enqueue(em, workQueue, 'do', { key: 'inner' });
      await enqueue(service, 'other');
      await until(() => ran.includes('other'));
      await service.app.get(JobsService).requeueLostJobs();
      expect(ran).toEqual(['other']);
      return added;
    });
    await until(() => ran.includes('inner'));
    await allDone(service);
    expect(infos[1]).toMatchObject({ id, attempt: 1, requestId: id });
    await until(
      async () => (await metric(service, 'jobs_processed_total', { queue: 'work', job: 'do', outcome: 'done' })) === 2,
    );
    expect(service.logLines.some((line) => line.includes('job done') && line.includes(id))).toBe(true);
  });

  it('never runs when its transaction rolls back', async () => {
    const ran: string[] = [];
    const service = await start({ do: ({ key }) => noted(ran.push(key)) });
    const work = service.app.get(Outbox).transaction(async (em) => {
      await service.app.get(JobsService).enqueue(em, workQueue, 'do', { key: 'undone' });
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    await enqueue(service, 'later');
    await until(() => ran.includes('later'));
    expect(ran).toEqual(['later']);
  });

  it('is tried again when it fails, and its entry stays until it succeeds', async () => {
    const attempts: number[] = [];
    const left: number[] = [];
    const service: TestService = await start({
      do: async (_payload, { attempt }) => {
        attempts.push(attempt);
        left.push((await entries(service)).length);
        if (attempt < 3) throw new Error('not yet');
      },
    });
    await enqueue(service, 'stubborn');
    await until(() => attempts.length === 3);
    await allDone(service);
    expect(attempts).toEqual([1, 2, 3]);
    expect(left).toEqual([1, 1, 1]);
    // The metric counts the job after its entry is deleted.
    await until(async () => (await metric(service, 'jobs_processed_total', { outcome: 'done' })) === 1);
    expect(await metric(service, 'jobs_processed_total', { outcome: 'retried' })).toBe(2);
    expect(await metric(service, 'jobs_processed_total', { outcome: 'failed' })).toBe(0);
  });

  it.each([
    [
      'its attempts are used up in a queue that gives up',
      () => new Error('the disk is full'),
      3,
      { ...workQueue, givesUp: true },
    ],
    ['trying again cannot help', () => new PermanentFailure('the disk is full'), 1, workQueue],
  ])('is kept as failed, and counted, when %s', async (_when, failure, expectedAttempts, queue) => {
    let attempts = 0;
    const handlers = {
      do: () => {
        attempts++;
        return Promise.reject(failure());
      },
    };
    const service = await start(handlers, { queue });
    const id = await enqueue(service, 'doomed');
    await until(async () => (await entry(service, id))?.failed_at);
    expect(attempts).toBe(expectedAttempts);
    expect(await entry(service, id)).toMatchObject({ error: 'the disk is full', attempts: expectedAttempts });
    expect(service.logLines.find((line) => line.includes('job failed'))).toContain(`"attempt":${expectedAttempts},`);
    expect(await metric(service, 'jobs_processed_total', { queue: 'work', job: 'do', outcome: 'failed' })).toBe(1);
    expect(await metric(service, 'outbox_entries', { state: 'failed' })).toBe(1);
    await age(service);
    await service.app.get(JobsService).requeueLostJobs();
    await enqueue(service, 'next');
    await until(async () => (await entries(service)).length === 2 || attempts > expectedAttempts);
    expect(await entry(service, id)).toMatchObject({ error: 'the disk is full', failed_at: expect.any(Date) });
  });

  it('is tried once an hour after its regular attempts, until it is done', async () => {
    let isMended = false;
    const service = await start({ do: () => (isMended ? nothing() : Promise.reject(new Error('the disk is full'))) });
    const isLate = (id: string) =>
      until(async () => {
        const [late] = await service.query<{ seconds: number }>(
          "SELECT extract(epoch FROM due_at - clock_timestamp())::float8 AS seconds FROM outbox WHERE id = $1 AND due_at > clock_timestamp() + interval '1 minute'",
          [id],
        );
        return late;
      });
    const hurry = (id: string) => service.query('UPDATE outbox SET due_at = clock_timestamp() WHERE id = $1', [id]);

    const id = await enqueue(service, 'patient');
    const { seconds } = await isLate(id);
    expect([seconds > 3_000, seconds <= 3_600]).toEqual([true, true]);
    expect(await entry(service, id)).toMatchObject({ attempts: 3, error: 'the disk is full', failed_at: null });
    expect(await metric(service, 'outbox_entries', { state: 'late' })).toBe(1);
    expect(await metric(service, 'outbox_entries', { state: 'retrying' })).toBe(0);

    await hurry(id);
    await until(async () => (await metric(service, 'jobs_processed_total', { outcome: 'retried' })) === 4);
    await isLate(id);
    isMended = true;
    await hurry(id);
    await allDone(service);
  });

  it('that the queue counts as failed is tried on: the database was away after its last regular attempt', async () => {
    let isMended = false;
    const service = await start({ do: () => (isMended ? nothing() : Promise.reject(new Error('not yet'))) });
    const countAttempt = jest
      .spyOn(OutboxRelay.prototype, 'recordAttempt')
      .mockRejectedValue(new Error('the database is away'));
    const id = await enqueue(service, 'unlucky');
    // Its worker now knows of the failure, and would return the job to the queue.
    await until(async () => (await metric(service, 'jobs_processed_total', { outcome: 'failed' })) === 1);
    countAttempt.mockRestore();
    await age(service);
    isMended = true;
    const { app } = service;
    const remove = jest.spyOn(Queue.prototype, 'remove').mockResolvedValue(0); // its worker still holds it
    await app.get(JobsService).requeueLostJobs();
    remove.mockRestore();
    await app.get(JobsService).requeueLostJobs();
    await until(async () => (await entry(service, id))?.due_at);
    await service.query('UPDATE outbox SET due_at = clock_timestamp() WHERE id = $1', [id]);
    await allDone(service);
  });

  it('waits for a process that runs workers', async () => {
    const ran: string[] = [];
    const handlers: Partial<JobHandlers<Work>> = { do: ({ key }) => noted(ran.push(key)) };
    const web = await start(handlers, { env: OFF });
    const id = await enqueue(web, 'patient');
    await web.app.get(JobsService).requeueLostJobs();
    expect(await isDispatched(web, id)).toBeNull();
    expect(ran).toEqual([]);
    await start(handlers, { sharedWith: web, env: INLINE });
    await allDone(web);
    expect(ran).toEqual(['patient']);
  });

  it('is told to the processes that run workers by one that runs none', async () => {
    const worker = await start();
    const web = await start({}, { sharedWith: worker, env: OFF });
    await subscribed(worker);
    let told = 0;
    worker.app.get(BroadcastService).subscribe(ENTRIES_ADDED, () => told++);
    await web.app.get(Outbox).transaction(nothing); // adds nothing, so no notification is sent
    await enqueue(web, 'new');
    await until(() => told > 0);
    await allDone(web);
    expect(told).toBe(1);
    const kick = jest.spyOn(OutboxRelay.prototype, 'wake');
    void worker.app.get(BroadcastService).publish(ENTRIES_ADDED, ['all']);
    expect(kick).toHaveBeenCalledTimes(1);
  });

  it('has its attempt counted before the queue lets go of it', async () => {
    const putBack = jest.spyOn(OutboxRelay.prototype, 'postponeJob').mockRejectedValue(new Error('ended'));
    const service = await start({ do: () => Promise.reject(new Error('not yet')) });
    const id = await enqueue(service, 'fails');
    await until(() => putBack.mock.calls.length);
    expect(await entry(service, id)).toMatchObject({ attempts: 1, due_at: null, failed_at: null });
  });

  it('of an unknown queue is left alone', async () => {
    const service = await start();
    await service.query(`INSERT INTO outbox (id, queue, name, payload) VALUES ('job_1', 'elsewhere', 'do', '{}')`);
    await service.query(
      `INSERT INTO outbox (id, queue, name, payload, dispatched_at) VALUES ('job_2', 'elsewhere', 'do', '{}', '2020-01-01')`,
    );
    await enqueue(service, 'ours');
    await service.app.get(JobsService).requeueLostJobs();
    await until(async () => (await entries(service)).length === 2);
    expect(await entries(service)).toMatchObject([
      { id: 'job_1', dispatched_at: null, failed_at: null },
      { id: 'job_2', dispatched_at: new Date('2020-01-01'), failed_at: null },
    ]);
  });

  it('that runs at the start cannot be postponed: that is a failure, and it is tried again', async () => {
    const attempts: number[] = [];
    const mark = (_payload: object, { attempt }: JobInfo) => {
      attempts.push(attempt);
      return attempt === 1 ? Promise.reject(new Postponed('not yet', 600_000)) : Promise.resolve();
    };
    const service = await start(
      { mark },
      { feature: (jobs) => jobs.scheduleJob(workQueue, 'mark', 3_600_000, { atStart: true }) },
    );
    await until(() => attempts.includes(2));
    expect(await metric(service, 'jobs_processed_total', { outcome: 'postponed' })).toBe(0);
  });

  it('may be scheduled: it runs again and again, and needs no entry', async () => {
    let ticks = 0;
    const handlers: Partial<JobHandlers<Work>> = { mark: () => noted(ticks++) };
    const service = await start(handlers, { feature: (jobs) => jobs.scheduleJob(workQueue, 'mark', 50) });
    await until(() => ticks >= 3);
    expect(await entries(service)).toEqual([]);
  });

  it('may be scheduled from the start of each process on: it does not wait for the first interval, and is tried again', async () => {
    const HOUR_MS = 3_600_000;
    const attempts: number[] = [];
    const mark = (_payload: object, { attempt }: JobInfo) => {
      attempts.push(attempt);
      return attempt === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve();
    };
    const feature = (jobs: JobsService) => jobs.scheduleJob(workQueue, 'mark', HOUR_MS, { atStart: true });
    const service = await start({ mark }, { feature });
    await until(() => attempts.includes(2));
    await withQueue(service, (queue) => until(async () => !(await queue.getJob('mark-at-start')))); // processes that start together create only one
    const before = attempts.length;
    await start({ mark }, { feature, sharedWith: service });
    await until(() => attempts.length > before);
  });
});

it('refuses to boot with two features on one queue', async () => {
  const twice = start({}, { feature: (jobs) => jobs.registerHandlers(workQueue, { do: nothing, mark: nothing }) });
  await expect(twice).rejects.toThrow('The queue work is processed twice.');
});

describe('what goes wrong around a job', () => {
  const lose = (service: TestService) => deleteQueueData(service, service.app.get(QueueEngine));

  it('the queue loses everything: the sweep hands it over again', async () => {
    const service: TestService = await withEffects(await start({ do: ({ key }) => effect(service, key) }));
    await pauseQueue(service);
    const ids = await Promise.all(['a', 'b', 'c'].map((key) => enqueue(service, key, key)));
    for (const id of ids) await isQueued(service, id);
    mayLoseJobs = true;
    await lose(service); // also loses the pause
    await age(service);
    await service.app.get(JobsService).requeueLostJobs();
    await allDone(service);
    expect(await effects(service)).toEqual(['a', 'b', 'c'].map((key) => ({ key, runs: 1 })));
  });

  it('the queue loses everything: what is scheduled goes on', async () => {
    const { everyMs } = SCHEDULE_CHECKS;
    SCHEDULE_CHECKS.everyMs = 50;
    try {
      let ticks = 0;
      const service = await start(
        { mark: () => noted(ticks++) },
        { feature: (jobs) => jobs.scheduleJob(workQueue, 'mark', 100) },
      );
      await until(() => ticks > 0);
      mayLoseJobs = true;
      await lose(service);
      const before = ticks;
      await until(() => ticks > before + 2);
      expect(service.logLines.some((line) => line.includes('the queue lost a schedule'))).toBe(true);
    } finally {
      SCHEDULE_CHECKS.everyMs = everyMs;
    }
  });

  it('the process ends between marking an entry and handing it over: the sweep hands it over', async () => {
    mayLoseJobs = true;
    const ran: string[] = [];
    const service = await start({ do: ({ key }) => noted(ran.push(key)) });
    await service.query(
      `INSERT INTO outbox (id, queue, name, payload, dispatched_at) VALUES ('job_1', 'work', 'do', '{"key":"dropped"}', now() - interval '1 minute')`,
    );
    await service.app.get(JobsService).requeueLostJobs();
    await allDone(service);
    expect(ran).toEqual(['dropped']);
  });

  it('the queue is only slow: the sweep does not hand a job over twice', async () => {
    const service = await start();
    await pauseQueue(service);
    const id = await enqueue(service, 'slow');
    await isQueued(service, id);
    await age(service);
    const before = Number(await isDispatched(service, id));
    await service.app.get(JobsService).requeueLostJobs();
    expect(Number(await isDispatched(service, id)) - before).toBeGreaterThanOrEqual(60_000); // the minute from `age`
    expect(service.logLines.some((line) => line.includes('the queue lost a job'))).toBe(false);
  });

  it('the worker is killed after the work, before it acknowledged: the job runs again and is not lost', async () => {
    const web = await withEffects(await start({}, { env: OFF }));
    const relaying = await TestService.start(define({}), { sharedWith: web, env: INLINE });
    await pauseQueue(web);
    const id = await enqueue(web, 'twice');
    await isQueued(web, id);
    await relaying.stop();
    await resumeQueue(web);
    await killWorkerAfter(web);
    expect(await effects(web)).toEqual([{ key: 'twice', runs: 1 }]);
    expect(await entries(web)).toMatchObject([{ id, failed_at: null }]);

    await expireLock(web, id);
    await start({ do: ({ key }) => effect(web, key) }, { sharedWith: web, env: INLINE });
    await allDone(web);
    expect(await effects(web)).toEqual([{ key: 'twice', runs: 2 }]);
  });

  /** Starts a separate worker process, and kills it after the work of its first job. */
  async function killWorkerAfter({ env }: TestService): Promise<void> {
    const module = pathToFileURL(resolve('dist/libs/messaging/src/queue-engine.js')).href;
    const options = { schema: 'gateway', databaseUrl: env['DATABASE_URL'], redisUrl: env['REDIS_URL'] ?? '' };
    const script = `
      const { QueueEngine } = await import(${JSON.stringify(module)});
      const { Client } = (await import('pg')).default;
      const client = new Client(${JSON.stringify(options.databaseUrl)});
      await client.connect();
      const work = async ({ data }) => {
        await client.query(${JSON.stringify(EFFECT)}, [data.key]);
        console.log('worked');
        await new Promise(() => undefined);
      };
      const engine = new QueueEngine(${JSON.stringify(options)}, (error) => console.error(error));
      await engine.worker('work', work, { concurrency: 1, backoff: () => 1 }).run();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((worked) => child.stdout.once('data', worked));
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  }

  /** Simulates time: the lock of the dead worker expires, and a check has found the stalled job. */
  async function expireLock(service: TestService, id: string): Promise<void> {
    const { redis, prefix } = service.app.get(QueueEngine);
    if (redis) {
      await redis.del(`${prefix}:work:${id}:lock`, `${prefix}:work:stalled-check`);
      await redis.sadd(`${prefix}:work:stalled`, id);
      return;
    }
    await service.query('UPDATE gateway_queues.job SET locked_until_ms = 1, stalled_marked = true WHERE id = $1', [id]);
    await service.query("DELETE FROM gateway_queues.meta WHERE field = 'stalled-check'");
  }

  it('two processes share 200 jobs: each has its effect once', async () => {
    const first = await withEffects(await start({ do: ({ key }) => runOn(first, key) }));
    const second = await start({ do: ({ key }) => runOn(second, key) }, { sharedWith: first });
    async function runOn(service: TestService, key: string): Promise<void> {
      await service.query('INSERT INTO effects (key) VALUES ($1) ON CONFLICT DO NOTHING', [key]);
    }
    const keys = Array.from({ length: 200 }, (_value, at) => `key-${String(at).padStart(3, '0')}`);
    await Promise.all(keys.map((key, at) => enqueue(at % 2 ? first : second, key)));
    await allDone(first);
    expect(await effects(first)).toEqual(keys.map((key) => ({ key, runs: 1 })));
    const done = (service: TestService) => metric(service, 'jobs_processed_total', { outcome: 'done' });
    const all = async () => (await done(first)) + (await done(second));
    await until(async () => (await all()) >= 200); // a job is counted after its process knows that its entry was deleted
    expect(await all()).toBe(200);
  });

  it('the process stops: it finishes the job that runs, and leaves the others', async () => {
    const first = await withEffects(await start({}, { env: OFF }));
    let entered: () => void = () => undefined;
    let leave: () => void = () => undefined;
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const gate = new Promise<void>((resolve) => (leave = resolve));
    const stopping: TestService = await TestService.start(
      define({
        do: async ({ key }) => {
          entered();
          await gate;
          await stopping.query(EFFECT, [key]);
        },
      }),
      { sharedWith: first, env: INLINE },
    );
    await enqueue(first, 'running');
    await inside;
    await pauseQueue(first);
    const late = await enqueue(first, 'late');
    await isQueued(first, late);
    let stopped = false;
    const stop = stopping.stop().then(() => (stopped = true));
    const { workers } = stopping.app.get<unknown>(JobsService) as { workers: Worker[] };
    await until(() => workers.every(({ closing }) => closing !== undefined)); // before that it can begin another job
    await resumeQueue(first);
    expect(stopped).toBe(false);
    leave();
    await stop;
    expect(await effects(first)).toEqual([{ key: 'running', runs: 1 }]);
    expect((await entries(first)).map(({ id }) => id)).toEqual([late]);
  });

  it('the process stops: a request that is still open can reach the queue', async () => {
    const first = await start();
    const stopping = await TestService.start(define({}), { sharedWith: first });
    let leave: () => void = () => undefined;
    const entered = new Promise<void>((resolve) => (stage.enter = resolve));
    stage.leave = new Promise((resolve) => (leave = resolve));
    const answer = stopping.client().get('/slow');
    await entered;
    const stopped = stopping.stop();
    await until(() => fetch(`${stopping.url}/healthz`).then(nothingElse, () => true));
    leave();
    expect((await answer).status).toBe(200);
    await stopped;
  });

  const nothingElse = () => false;

  it('the process stops: it leaves no connection to the queue', async () => {
    const queue = await prepareOutage();
    const first = await start({}, { env: { ...OFF, ...queue.env } });
    await subscribed(first);
    const before = await queue.connections(first);
    const second = await TestService.start(define({}), { sharedWith: first, env: INLINE });
    expect(await queue.connections(first)).toBeGreaterThan(before);
    await second.stop();
    await until(async () => (await queue.connections(first)) <= before);
  });

  it('the queue cannot be reached: entries wait, readiness says so, and all goes on when it is back', async () => {
    const outage = await prepareOutage();
    const service: TestService = await withEffects(
      await start({ do: ({ key }) => effect(service, key) }, { env: outage.env }),
    );
    await outage.begin(service);
    const id = await enqueue(service, 'waiting');
    await until(() => service.logLines.some((line) => line.includes('could not be relayed')));
    await until(async () => (await isDispatched(service, id)) === null);
    await expect(service.app.get(ReadinessService).runChecks()).rejects.toMatchObject({
      status: 503,
      options: { details: { checks: { queue: 'unavailable' } } },
    });
    await outage.end(service);
    await allDone(service);
    expect(await effects(service)).toEqual([{ key: 'waiting', runs: 1 }]);
    await until(() =>
      service.app
        .get(ReadinessService)
        .runChecks()
        .then(
          () => true,
          () => false,
        ),
    );
  });

  it('a worker waits until it is connected to its queue, and no longer than it is allowed to', async () => {
    const service = await start();
    const jobs = service.app.get(JobsService);
    await jobs.waitUntilConnected(600_000);
    const outage = await prepareOutage();
    await outage.begin(service);
    const cutOff = await start({}, { sharedWith: service, env: outage.env });
    await cutOff.app.get(JobsService).waitUntilConnected(1);
    await outage.end(cutOff);
    await cutOff.app.get(JobsService).waitUntilConnected(600_000);
  });

  it('a worker that is held takes no jobs until it starts', async () => {
    const done: string[] = [];
    const service = await start(
      { do: ({ key }) => Promise.resolve(void done.push(key)) },
      { feature: (jobs) => jobs.hold() },
    );
    const jobs = service.app.get(JobsService);
    await isQueued(service, await enqueue(service, 'first'));
    expect([jobs.isWorking, done]).toEqual([false, []]);
    jobs.start();
    await until(() => done.length);
    expect([jobs.isWorking, done]).toEqual([true, ['first']]);
  });

  /**
   * BullMQ requests the version when it creates a queue; ioredis has requested it before, at the
   * connection.
   */
  const isVersion = (packet: Buffer) => packet.includes('redis_version');

  async function loseRedisWhileTheQueueIsMade(url: string): Promise<void> {
    const wire = await TestProxy.start(url);
    release = () => wire.cut();
    let versions = 0;
    let cut: Promise<void> | undefined;
    wire.answer = (packet, client) => {
      if (cut || !isVersion(packet) || ++versions === 1) client.write(packet);
      else cut = wire.cut();
    };
    const service = await start({}, { env: { REDIS_URL: wire.url } });
    await until(() => cut !== undefined);
    await until(() => service.logLines.some((line) => line.includes('could not open a queue')));
    await wire.restore();
    await enqueue(service, 'waiting');
    await allDone(service);
  }

  const { REDIS_URL } = process.env;
  if (REDIS_URL)
    it('Redis goes away while the queue is made: jobs wait until it is back', () =>
      loseRedisWhileTheQueueIsMade(REDIS_URL));

  interface Outage {
    env: NodeJS.ProcessEnv;
    begin: (service: TestService) => Promise<unknown>;
    end: (service: TestService) => Promise<unknown>;
    connections: (service: TestService) => Promise<number>;
  }

  async function prepareOutage(): Promise<Outage> {
    const { REDIS_URL } = process.env;
    if (!REDIS_URL) {
      return {
        env: {},
        begin: (service) => service.query('ALTER SCHEMA gateway_queues RENAME TO away'),
        end: (service) => service.query('ALTER SCHEMA away RENAME TO gateway_queues'),
        connections: async (service) =>
          (
            await service.query(
              'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
            )
          ).length,
      };
    }
    const wire = await TestProxy.start(REDIS_URL);
    release = () => wire.cut();
    return {
      env: { REDIS_URL: wire.url },
      begin: () => wire.cut(),
      end: () => wire.restore(),
      connections: () => Promise.resolve(wire.connections),
    };
  }
});
