import { Controller, Get, Inject, Module } from '@nestjs/common';
import { connectDatabase, Outbox, PersistenceModule } from '@platform/persistence';
import { currentContext, parseConfig, Readiness, serviceConfig, servicePorts, type ServiceDefinition } from '@platform/platform';
import { TestService, until, Wire, type TestServiceOptions } from '@platform/testing';
import type { Worker } from 'bullmq';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { Jobs } from './jobs.js';
import { MessagingModule } from './messaging.module.js';
import { Notifications } from './notifications.js';
import { Postponed, type JobHandlers, type JobInfo, type QueueDefinition } from './queue-definition.js';
import { PermanentFailure, QueueEngine } from './queue-engine.js';

type Work = { do: { key: string; owner?: string }; mark: Record<string, never> };

const workQueue: QueueDefinition<Work> = {
  name: 'work',
  attempts: 3,
  backoff: () => 1,
  concurrency: 4,
  owner: (payload) => ('owner' in payload ? payload.owner : undefined),
};

const nothing = () => Promise.resolve();
const noted = (_count: number) => Promise.resolve();

const stage = { enter: () => undefined as void, leave: nothing() };

@Controller('slow')
class SlowRoute {
  constructor(
    @Inject(QueueEngine) private readonly engine: QueueEngine,
    @Inject(DataSource) private readonly dataSource: DataSource,
  ) {}
  @Get() async answer() {
    stage.enter();
    await stage.leave;
    await this.engine.check(this.dataSource);
    return {};
  }
}

@Module({ controllers: [SlowRoute] })
class RootModule {}

const define =
  (handlers: Partial<JobHandlers<Work>>, feature: (jobs: Jobs) => void = () => undefined, queue = workQueue) =>
  (env: NodeJS.ProcessEnv): ServiceDefinition => {
    const config = parseConfig({ ...serviceConfig, ...servicePorts(0) }, env);
    const database = { url: config.DATABASE_URL, schema: 'gateway', poolSize: 5, entities: [], migrations: [] };
    const register = (jobs: Jobs) => {
      jobs.process(queue, { do: nothing, mark: nothing, ...handlers });
      feature(jobs);
      return true;
    };
    return {
      name: 'worker',
      config,
      module: {
        module: RootModule,
        imports: [
          PersistenceModule.register(database),
          MessagingModule.register({
            schema: database.schema,
            databaseUrl: config.DATABASE_URL,
            redisUrl: config.REDIS_URL,
            runWorkers: config.WORKERS === 'inline',
            workersOffAfterSeconds: config.WORKERS_OFF_AFTER_SECONDS,
          }),
        ],
        providers: [{ provide: 'FEATURE', useFactory: register, inject: [Jobs] }],
      },
      connect: connectDatabase,
      openApi: { service: 'worker', title: 'Worker', description: 'Worker.' },
    };
  };

let running: TestService[] = [];
/** Ends what a test put between the service and its queue. */
let release: () => Promise<void> = nothing;
afterEach(async () => {
  jest.restoreAllMocks();
  // The first one owns the database.
  for (const service of running.reverse()) await service.stop();
  running = [];
  await release();
  release = nothing;
});

async function start(
  handlers: Partial<JobHandlers<Work>> = {},
  options: TestServiceOptions & { feature?: (jobs: Jobs) => void; queue?: typeof workQueue } = {},
) {
  const service = await TestService.start(define(handlers, options.feature, options.queue), options);
  running.push(service);
  return service;
}

const OFF = { WORKERS: 'off' };

function enqueue(service: TestService, key: string, owner?: string): Promise<string> {
  const payload = { key, ...(owner !== undefined && { owner }) };
  return service.app.get(Outbox).transaction((em) => service.app.get(Jobs).enqueue(em, workQueue, 'do', payload));
}

interface Entry {
  id: string;
  attempts: number;
  dispatched_at: Date | null;
  due_at: Date | null;
  failed_at: Date | null;
  error: string | null;
}

const entries = (service: TestService) => service.query<Entry>('SELECT * FROM outbox ORDER BY id');
const entry = async (service: TestService, id: string) => (await entries(service)).find((row) => row.id === id);
const allDone = (service: TestService) => until(async () => (await entries(service)).length === 0);
const isDispatched = async (service: TestService, id: string) => (await entry(service, id))?.dispatched_at;

/** Waits until the queue itself has the job; the entry is marked a moment earlier. */
async function isQueued(service: TestService, id: string): Promise<void> {
  const queue = service.app.get(QueueEngine).queue(workQueue.name);
  await until(() => queue.getJob(id));
  await queue.close();
}

/** How many jobs wait for their turn. */
const waiting = async (service: TestService) => (await entries(service)).filter((row) => !row.dispatched_at).length;

/** Makes every entry look as if it had been handed over long ago. */
const age = (service: TestService) => service.query("UPDATE outbox SET dispatched_at = dispatched_at - interval '1 minute'");

async function metric(service: TestService, name: string, labels: Record<string, string>): Promise<number> {
  const found = await service.app.get(Registry).getSingleMetric(name)?.get();
  const value = found?.values.find((one) => Object.entries(labels).every(([label, wanted]) => one.labels[label] === wanted));
  return value?.value ?? 0;
}

/** Effects of jobs, counted in the database. */
async function withEffects(service: TestService): Promise<TestService> {
  await service.query('CREATE TABLE effects (key text PRIMARY KEY, runs integer NOT NULL DEFAULT 1)');
  return service;
}
const EFFECT = 'INSERT INTO gateway.effects AS e (key) VALUES ($1) ON CONFLICT (key) DO UPDATE SET runs = e.runs + 1';
const effect = async (service: TestService, key: string): Promise<void> => {
  await service.query(EFFECT, [key]);
};
const effects = (service: TestService) => service.query<{ key: string; runs: number }>('SELECT key, runs FROM effects ORDER BY key');

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
      const added = await service.app.get(Jobs).enqueue(em, workQueue, 'do', { key: 'inner' });
      await enqueue(service, 'other');
      await until(() => ran.includes('other'));
      await service.app.get(Jobs).sweep();
      expect(ran).toEqual(['other']);
      return added;
    });
    await until(() => ran.includes('inner'));
    await allDone(service);
    expect(infos[1]).toMatchObject({ id, attempt: 1, requestId: id });
    await until(async () => (await metric(service, 'jobs_processed_total', { queue: 'work', job: 'do', outcome: 'done' })) === 2);
    expect(service.logLines.some((line) => line.includes('job done') && line.includes(id))).toBe(true);
  });

  it('never runs when its transaction rolls back', async () => {
    const ran: string[] = [];
    const service = await start({ do: ({ key }) => noted(ran.push(key)) });
    const work = service.app.get(Outbox).transaction(async (em) => {
      await service.app.get(Jobs).enqueue(em, workQueue, 'do', { key: 'undone' });
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
    expect(await metric(service, 'jobs_processed_total', { outcome: 'retried' })).toBe(2);
    expect(await metric(service, 'jobs_processed_total', { outcome: 'failed' })).toBe(0);
  });

  it.each([
    ['its attempts are used up', () => new Error('the disk is full'), 3],
    ['trying again cannot help', () => new PermanentFailure('the disk is full'), 1],
  ])('is kept as failed, and counted, when %s', async (_when, failure, expectedAttempts) => {
    let attempts = 0;
    const service = await start({
      do: () => {
        attempts++;
        return Promise.reject(failure());
      },
    });
    const id = await enqueue(service, 'doomed');
    await until(async () => (await entry(service, id))?.failed_at);
    expect(attempts).toBe(expectedAttempts);
    expect(await entry(service, id)).toMatchObject({ error: 'the disk is full' });
    expect(await metric(service, 'jobs_processed_total', { queue: 'work', job: 'do', outcome: 'failed' })).toBe(1);
    expect(await metric(service, 'outbox_entries', { state: 'failed' })).toBe(1);
    await age(service);
    await service.app.get(Jobs).sweep();
    await enqueue(service, 'next');
    await until(async () => (await entries(service)).length === 2 || attempts > expectedAttempts);
    expect(await entry(service, id)).toMatchObject({ error: 'the disk is full', failed_at: expect.any(Date) });
  });

  it('waits for a process that runs workers', async () => {
    const ran: string[] = [];
    const handlers: Partial<JobHandlers<Work>> = { do: ({ key }) => noted(ran.push(key)) };
    const web = await start(handlers, { env: OFF });
    await isQueued(web, await enqueue(web, 'patient'));
    expect(ran).toEqual([]);
    await start(handlers, { beside: web, env: { WORKERS: 'inline' } });
    await allDone(web);
    expect(ran).toEqual(['patient']);
  });

  it('of an unknown queue is left alone', async () => {
    const service = await start();
    await service.query(`INSERT INTO outbox (id, queue, name, payload) VALUES ('job_1', 'elsewhere', 'do', '{}')`);
    await service.query(
      `INSERT INTO outbox (id, queue, name, payload, dispatched_at) VALUES ('job_2', 'elsewhere', 'do', '{}', '2020-01-01')`,
    );
    await enqueue(service, 'ours');
    await service.app.get(Jobs).sweep();
    await until(async () => (await entries(service)).length === 2);
    expect(await entries(service)).toMatchObject([
      { id: 'job_1', dispatched_at: null, failed_at: null },
      { id: 'job_2', dispatched_at: new Date('2020-01-01'), failed_at: null },
    ]);
  });

  it('may be scheduled: it runs again and again, and needs no entry', async () => {
    let ticks = 0;
    const handlers: Partial<JobHandlers<Work>> = { mark: () => noted(ticks++) };
    const service = await start(handlers, { feature: (jobs) => jobs.schedule(workQueue, 'mark', 50) });
    await until(() => ticks >= 3);
    expect(await entries(service)).toEqual([]);
  });

  it('may be scheduled from the start of each process on: it does not wait for the first interval, and is tried again', async () => {
    const HOUR_MS = 3_600_000;
    let ticks = 0;
    const mark = () => (ticks++ ? Promise.resolve() : Promise.reject(new Error('not yet')));
    const feature = (jobs: Jobs) => jobs.schedule(workQueue, 'mark', HOUR_MS, { atStart: true });
    const service = await start({ mark }, { feature });
    await until(() => ticks >= 2);
    const before = ticks;
    await start({ mark }, { feature, beside: service });
    await until(() => ticks > before);
  });
});

it('refuses to boot with two features on one queue', async () => {
  const twice = start({}, { feature: (jobs) => jobs.process(workQueue, { do: nothing, mark: nothing }) });
  await expect(twice).rejects.toThrow('The queue work is processed twice.');
});

describe('what goes wrong around a job', () => {
  /** Throws away all that the queue holds. */
  async function lose(service: TestService): Promise<void> {
    const { redis, prefix } = service.app.get(QueueEngine);
    if (redis) {
      const keys = await redis.keys(`${prefix}:*`);
      if (keys.length) await redis.del(keys);
      return;
    }
    const tables = await service.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'gateway_queues' AND tablename <> 'migrations'",
    );
    expect(tables.map(({ name }) => name)).toContain('job');
    for (const name of ['job', 'meta', 'event', 'scheduler']) await service.query(`DELETE FROM gateway_queues.${name}`);
  }

  it('the queue loses everything: the sweep hands it over again', async () => {
    const web = await withEffects(await start({}, { env: OFF }));
    const ids = await Promise.all(['a', 'b', 'c'].map((key) => enqueue(web, key, key)));
    for (const id of ids) await isQueued(web, id);
    await lose(web);
    await age(web);
    await web.app.get(Jobs).sweep();
    for (const id of ids) await isQueued(web, id);

    await start({ do: ({ key }) => effect(web, key) }, { beside: web, env: { WORKERS: 'inline' } });
    await allDone(web);
    expect(await effects(web)).toEqual(['a', 'b', 'c'].map((key) => ({ key, runs: 1 })));
  });

  it('the process ends between marking an entry and handing it over: the sweep hands it over', async () => {
    const ran: string[] = [];
    const service = await start({ do: ({ key }) => noted(ran.push(key)) });
    await service.query(
      `INSERT INTO outbox (id, queue, name, payload, dispatched_at) VALUES ('job_1', 'work', 'do', '{"key":"dropped"}', now() - interval '1 minute')`,
    );
    await service.app.get(Jobs).sweep();
    await allDone(service);
    expect(ran).toEqual(['dropped']);
  });

  it('the queue is only slow: the sweep does not hand a job over twice', async () => {
    const web = await withEffects(await start({}, { env: OFF }));
    const id = await enqueue(web, 'slow');
    await isQueued(web, id);
    await age(web);
    await web.app.get(Jobs).sweep();
    expect(Date.now() - Number(await isDispatched(web, id))).toBeLessThan(20_000);
    expect(web.logLines.some((line) => line.includes('the queue lost a job'))).toBe(false);
  });

  it('the worker is killed after the work, before it acknowledged: the job runs again and is not lost', async () => {
    const web = await withEffects(await start({}, { env: OFF }));
    const id = await enqueue(web, 'twice');
    await isQueued(web, id);
    await killWorkerAfter(web);
    expect(await effects(web)).toEqual([{ key: 'twice', runs: 1 }]);
    expect(await entries(web)).toMatchObject([{ id, failed_at: null }]);

    await expireLock(web, id);
    await start({ do: ({ key }) => effect(web, key) }, { beside: web, env: { WORKERS: 'inline' } });
    await allDone(web);
    expect(await effects(web)).toEqual([{ key: 'twice', runs: 2 }]);
  });

  /** A worker process of its own, killed when it has done the work of its first job. */
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
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((worked) => child.stdout.once('data', worked));
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  }

  /** What time does: the lock of the dead worker runs out, and a check has seen the job without a sign of life. */
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
    const second = await start({ do: ({ key }) => runOn(second, key) }, { beside: first });
    async function runOn(service: TestService, key: string): Promise<void> {
      await service.query('INSERT INTO effects (key) VALUES ($1) ON CONFLICT DO NOTHING', [key]);
    }
    const keys = Array.from({ length: 200 }, (_value, at) => `key-${String(at).padStart(3, '0')}`);
    await Promise.all(keys.map((key, at) => enqueue(at % 2 ? first : second, key)));
    await allDone(first);
    expect(await effects(first)).toEqual(keys.map((key) => ({ key, runs: 1 })));
    const done = (service: TestService) => metric(service, 'jobs_processed_total', { outcome: 'done' });
    expect((await done(first)) + (await done(second))).toBe(200);
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
      { beside: first, env: { WORKERS: 'inline' } },
    );
    await enqueue(first, 'running');
    await inside;
    let stopped = false;
    const stop = stopping.stop().then(() => (stopped = true));
    const { workers } = stopping.app.get<unknown>(Jobs) as { workers: Worker[] };
    await until(() => workers.every(({ closing }) => closing !== undefined)); // until then it may begin another job
    const late = await enqueue(first, 'late');
    await isQueued(first, late);
    expect(stopped).toBe(false);
    leave();
    await stop;
    expect(await effects(first)).toEqual([{ key: 'running', runs: 1 }]);
    expect((await entries(first)).map(({ id }) => id)).toEqual([late]);
  });

  it('the process stops: a request that is still open can reach the queue', async () => {
    const first = await start();
    const stopping = await TestService.start(define({}), { beside: first });
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

  /** A process tells itself at once; hearing it a second time shows that its subscription is connected. */
  async function subscribed(service: TestService): Promise<void> {
    const notifications = service.app.get(Notifications);
    let heard = 0;
    let published = 0;
    notifications.subscribe('connected', () => heard++);
    await until(async () => {
      await notifications.publish('connected', ['?']);
      return heard > ++published;
    });
  }

  it('the process stops: it leaves no connection to the queue', async () => {
    const queue = await prepareOutage();
    const first = await start({}, { env: { ...OFF, ...queue.env } });
    await subscribed(first);
    const before = await queue.connections(first);
    const second = await TestService.start(define({}), { beside: first, env: { WORKERS: 'inline' } });
    expect(await queue.connections(first)).toBeGreaterThan(before);
    await second.stop();
    await until(async () => (await queue.connections(first)) <= before);
  });

  it('the queue cannot be reached: entries wait, readiness says so, and all goes on when it is back', async () => {
    const outage = await prepareOutage();
    const web = await start({}, { env: { ...OFF, ...outage.env } });
    await outage.begin(web);
    const id = await enqueue(web, 'waiting');
    await until(() => web.logLines.some((line) => line.includes('could not be relayed')));
    await until(async () => (await isDispatched(web, id)) === null);
    await expect(web.app.get(Readiness).verify()).rejects.toMatchObject({
      status: 503,
      options: { details: { checks: { queue: 'unavailable' } } },
    });
    await outage.end(web);
    await withEffects(web);
    await start({ do: ({ key }) => effect(web, key) }, { beside: web, env: { WORKERS: 'inline' } });
    await allDone(web);
    expect(await effects(web)).toEqual([{ key: 'waiting', runs: 1 }]);
    await until(() =>
      web.app
        .get(Readiness)
        .verify()
        .then(
          () => true,
          () => false,
        ),
    );
  });

  /** BullMQ asks for it when a queue is made; ioredis asked before, when it connected. */
  const isVersion = (packet: Buffer) => packet.includes('redis_version');

  async function loseRedisWhileTheQueueIsMade(url: string): Promise<void> {
    const wire = await Wire.to(url);
    release = () => wire.cut();
    let versions = 0;
    let cut: Promise<void> | undefined;
    wire.answer = (packet, client) => {
      if (cut || !isVersion(packet) || ++versions === 1) client.write(packet);
      else cut = wire.cut();
    };
    const service = await start({}, { env: { ...OFF, REDIS_URL: wire.url } });
    await until(() => cut !== undefined);
    await until(() => service.logLines.some((line) => line.includes('could not open a queue')));
    await wire.mend();
    const id = await enqueue(service, 'waiting');
    await isQueued(service, id);
  }

  const { REDIS_URL } = process.env;
  if (REDIS_URL) it('Redis goes away while the queue is made: jobs wait until it is back', () => loseRedisWhileTheQueueIsMade(REDIS_URL));

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
          (await service.query('SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()')).length,
      };
    }
    const wire = await Wire.to(REDIS_URL);
    release = () => wire.cut();
    return {
      env: { REDIS_URL: wire.url },
      begin: () => wire.cut(),
      end: () => wire.mend(),
      connections: () => Promise.resolve(wire.connections),
    };
  }
});

describe('jobs of many owners', () => {
  let endNoisy = (): void => undefined;
  let released = nothing();
  let begun: string[] = [];
  let done: { owner: string | undefined; key: string; attempt: number }[] = [];
  beforeEach(() => {
    released = new Promise<void>((resolve) => (endNoisy = resolve));
    [begun, done] = [[], []];
  });
  // Also after a failure, since a service that stops waits for its jobs.
  afterEach(() => endNoisy());

  /** Jobs of owners called noisy do not end before `endNoisy`. */
  const startNoisy = () =>
    start({
      do: async ({ owner, key }, { attempt }) => {
        begun.push(key);
        if (owner?.startsWith('noisy')) await released;
        done.push({ owner, key, attempt });
      },
    });
  const enqueueAll = ({ app }: TestService, payloads: { key: string; owner: string }[]) =>
    app.get(Outbox).transaction((em) => app.get(Jobs).enqueueAll(em, workQueue, 'do', payloads));
  const many = (count: number, owner: string) => Array.from({ length: count }, (_, at) => ({ key: `${owner} ${at}`, owner }));
  const isDone = (owner: string | undefined) => done.some((job) => job.owner === owner);

  it('leave room for others beside an owner with many, which then all run at their first attempt', async () => {
    const service = await startNoisy();
    await enqueueAll(service, many(30, 'noisy'));
    await until(() => begun.length === 2);
    for (const owner of ['one', undefined]) {
      await enqueue(service, 'x', owner);
      await until(() => isDone(owner));
    }
    expect(begun.filter((key) => key !== 'x')).toHaveLength(2);
    endNoisy();
    await allDone(service);
    expect(done.filter(({ owner }) => owner === 'noisy').map(({ attempt }) => attempt)).toEqual(Array(30).fill(1));
  });

  it('begin although owners beyond the slots each hold one, and so do jobs of nobody', async () => {
    const service = await startNoisy();
    const owners = Array.from({ length: 20 }, (_, at) => `noisy ${at}`);
    const firsts = owners.flatMap((owner) => many(1, owner));
    await enqueueAll(service, firsts);
    await until(() => begun.length === firsts.length);
    await enqueueAll(
      service,
      owners.flatMap((owner) => many(3, owner).slice(1)),
    );
    for (const owner of ['quiet', undefined]) {
      await enqueue(service, 'x', owner);
      await until(() => isDone(owner));
    }
    expect(begun).toEqual(expect.arrayContaining(firsts.map(({ key }) => key)));
    expect(begun.length).toBeLessThanOrEqual(firsts.length + 4 + 2); // what few have beside the first takes so many places
    endNoisy();
    await allDone(service);
    expect(done).toHaveLength(62);
  });

  it('begin behind a thousand of one owner and many of each of fifty, which stand in nobody’s way', async () => {
    const service = await startNoisy();
    const noisy = [...many(1_000, 'noisy'), ...Array.from({ length: 50 }, (_, at) => many(100, `noisy ${at}`)).flat()];
    await enqueueAll(service, noisy);
    await until(() => begun.length >= 51);
    await enqueueAll(service, many(5, 'quiet'));
    await until(() => done.length === 5);
    expect(begun.filter((key) => key.startsWith('quiet'))).toHaveLength(5);
    // What has no place is not handed to the queue.
    expect(await waiting(service)).toBeGreaterThan(5_900);
    await enqueue(service, 'x', 'another');
    await until(() => isDone('another'));
  });

  it('of one owner run one after the other as soon as there is a place, the oldest first', async () => {
    const service = await startNoisy();
    const keys = Array.from({ length: 12 }, (_, at) => `job ${at}`);
    for (const key of keys) await enqueue(service, key, 'noisy');
    await until(() => begun.length === 2);
    expect(await waiting(service)).toBe(10);
    endNoisy();
    await allDone(service);
    expect(begun.slice(0, 2)).toEqual(keys.slice(0, 2));
    expect([...begun].sort()).toEqual([...keys].sort());
  });

  it('all run, though the process that hands them over runs none and hears of none', async () => {
    const handlers: Partial<JobHandlers<Work>> = { do: ({ key }) => noted(begun.push(key)) };
    const web = await start(handlers, { env: OFF });
    await enqueueAll(web, [...many(20, 'one'), ...many(20, 'two')]);
    await until(async () => (await waiting(web)) < 40);
    await start(handlers, { beside: web, env: { WORKERS: 'inline' } });
    await allDone(web);
    expect(new Set(begun).size).toBe(40);
  });
});

describe('a job that failed or was postponed', () => {
  const LATER_MS = 600_000;
  const slow = { ...workQueue, backoff: () => LATER_MS };

  it.each([
    ['the time before its next attempt', () => new Error('not yet'), 1],
    ['what it was postponed for', () => new Postponed('not yet', LATER_MS), 0],
  ])('waits for %s, without a place and without the queue', async (_what, failure, attempts) => {
    const ran: string[] = [];
    const service = await start(
      {
        do: ({ key }) => {
          ran.push(key);
          return key === 'fails' ? Promise.reject(failure()) : Promise.resolve();
        },
      },
      { queue: slow },
    );
    const id = await enqueue(service, 'fails', 'owner');
    const dueIn = async () => Number((await entry(service, id))?.due_at ?? 0) - Date.now();
    await until(async () => (await dueIn()) > LATER_MS / 2);
    expect(await entry(service, id)).toMatchObject({ attempts, failed_at: null });
    const queue = service.app.get(QueueEngine).queue(workQueue.name);
    expect(await queue.getJob(id)).toBeUndefined();
    await queue.close();
    for (const key of ['a', 'b', 'c']) await enqueue(service, key, 'owner');
    await until(async () => (await entries(service)).length === 1);
    await age(service);
    await service.app.get(Jobs).sweep();
    expect(await dueIn()).toBeGreaterThan(LATER_MS / 2);
    expect(ran.sort()).toEqual(['a', 'b', 'c', 'fails']);
  });

  it('has its next attempt when the time has come, in whatever process, and as often as is left', async () => {
    const tried: number[] = [];
    const handlers: Partial<JobHandlers<Work>> = {
      do: (_payload, { attempt }) => {
        tried.push(attempt);
        return Promise.reject(new Error('not yet'));
      },
    };
    const first = await TestService.start(define(handlers, undefined, slow));
    running.push(first);
    const id = await enqueue(first, 'fails', 'owner');
    for (const attempts of [1, 2]) {
      await until(async () => (await entry(first, id))?.attempts === attempts);
      if (attempts === 1) await start(handlers, { beside: first, queue: slow });
      await first.query("UPDATE outbox SET due_at = now() - interval '1 second'");
    }
    await until(async () => (await entry(first, id))?.failed_at);
    expect(tried).toEqual([1, 2, 3]);
  });
});
