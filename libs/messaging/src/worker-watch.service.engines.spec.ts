import { connectDatabase, PersistenceModule } from '@platform/persistence';
import { parseConfig, ReadinessService, serviceConfig, servicePorts, type ServiceDefinition } from '@platform/platform';
import { TestService, until, type TestServiceOptions } from '@platform/testing';
import { Worker } from 'bullmq';
import { Registry } from 'prom-client';
import { JobsService } from './jobs.service.js';
import { MessagingModule } from './messaging.module.js';
import type { QueueDefinition } from './queue-definition.js';
import { WorkerWatchService } from './worker-watch.service.js';

const queue: QueueDefinition<{ do: Record<string, never> }> = {
  name: 'watched',
  attempts: 1,
  backoff: () => 1,
  concurrency: 1,
};

class RootModule {}

function define(env: NodeJS.ProcessEnv): ServiceDefinition {
  const config = parseConfig({ ...serviceConfig, ...servicePorts(0) }, env);
  const database = { url: config.DATABASE_URL, schema: 'gateway', poolSize: 3, entities: [], migrations: [] };
  const register = (jobs: JobsService) => {
    jobs.registerHandlers(queue, { do: () => Promise.resolve() });
    return true;
  };
  return {
    name: 'watched',
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
      providers: [{ provide: 'FEATURE', useFactory: register, inject: [JobsService] }],
    },
    connect: connectDatabase,
  };
}

const OFF = { WORKERS: 'off' };
const INLINE = { WORKERS: 'inline' };

let running: TestService[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  // The first service owns the database, so it stops last.
  for (const service of running.reverse()) await service.stop();
  running = [];
});

async function start(options: TestServiceOptions): Promise<TestService> {
  const service = await TestService.start(define, options);
  running.push(service);
  return service;
}

/** Current readiness. Another check disables the cached answer. */
async function readiness(service: TestService): Promise<{ status: number; workers: unknown }> {
  service.app.get(ReadinessService).addNote({ name: 'asked', read: () => Promise.resolve('now') });
  const { status, body } = await service.client().get<{ notes: Record<string, unknown> }>('/readyz');
  return { status, workers: body.notes['workers'] };
}

async function lastSeen(service: TestService): Promise<number> {
  const found = await service.app.get(Registry).getSingleMetric('worker_last_seen_seconds')?.get();
  return found?.values[0]?.value ?? NaN;
}

const seen = (service: TestService) =>
  service.query<{ instance: string }>('SELECT instance FROM seen_workers ORDER BY instance');
const hasBeaten = (service: TestService, workers = 1) => until(async () => (await seen(service)).length === workers);
/** Stops the reports of a worker as if it was killed; otherwise it could report at any moment. */
const silence = (worker: TestService) => worker.app.get(WorkerWatchService).beforeApplicationShutdown();
/** Makes the last report of every worker older. */
const age = (service: TestService, seconds: number) =>
  service.query("UPDATE seen_workers SET seen_at = seen_at - $1 * interval '1 second'", [seconds]);

describe('a process without workers', () => {
  it('says in /readyz and in a metric that none is at work, and stays ready', async () => {
    const beganAt = process.uptime();
    const worker = await start({ env: INLINE });
    const web = await start({ env: OFF, sharedWith: worker });
    await hasBeaten(web);
    await silence(worker);
    expect(await readiness(web)).toEqual({ status: 200, workers: 'ok' });
    expect(await lastSeen(web)).toBeLessThanOrEqual(process.uptime() - beganAt);
    await age(web, 20);
    expect(await readiness(web)).toEqual({ status: 200, workers: 'ok' });
    await age(web, 80);
    expect(await readiness(web)).toEqual({
      status: 200,
      workers: expect.stringMatching(/^No worker has been seen for 1\d\d s, so jobs wait\. Run worker\.js/),
    });
    expect(await lastSeen(web)).toBeGreaterThanOrEqual(100);
  });

  it('waits as long for the very first worker', async () => {
    const web = await start({ env: OFF });
    expect(await readiness(web)).toEqual({ status: 200, workers: 'ok' });
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 61_000);
    expect(await readiness(web)).toEqual({
      status: 200,
      workers: expect.stringMatching(/^No worker has been seen for ([6-9]|1\d)\d s/),
    });
    expect(await lastSeen(web)).toBeGreaterThanOrEqual(61);
    expect(await seen(web)).toEqual([]);
  });

  it('says so after as long as is configured', async () => {
    const worker = await start({ env: INLINE });
    const web = await start({ env: { ...OFF, WORKERS_OFF_AFTER_SECONDS: '200' }, sharedWith: worker });
    await hasBeaten(web);
    await silence(worker);
    await age(web, 100);
    expect((await readiness(web)).workers).toBe('ok');
    await age(web, 101);
    expect((await readiness(web)).workers).toContain('No worker');
  });

  it('leaves the note out while the database cannot say', async () => {
    const web = await start({ env: OFF });
    await web.query('ALTER TABLE seen_workers RENAME TO hidden_workers');
    expect(await readiness(web)).toEqual({ status: 200, workers: undefined });
  });
});

describe('a worker', () => {
  it('is seen as soon as it starts, beside others, and forgets those that are long gone', async () => {
    const first = await start({ env: INLINE });
    await hasBeaten(first);
    await silence(first);
    const [gone] = await seen(first);
    await age(first, 3_700);
    expect((await readiness(first)).workers).toContain('No worker');
    const second = await start({ env: INLINE, sharedWith: first });
    await until(async () => (await seen(first)).every(({ instance }) => instance !== gone?.instance));
    expect(await seen(first)).toHaveLength(1);
    await start({ env: INLINE, sharedWith: first });
    await hasBeaten(first, 2);
    expect(await readiness(first)).toEqual({ status: 200, workers: 'ok' });
    expect(await readiness(second)).toEqual({ status: 200, workers: 'ok' });
  });

  it('that takes no jobs any more does not say that it is at work', async () => {
    jest.spyOn(Worker.prototype, 'run').mockRejectedValue(new Error('stopped'));
    const service = await start({ env: INLINE });
    expect(service.app.get(JobsService).isWorking).toBe(false);
    jest.restoreAllMocks();
    const other = await start({ env: INLINE, sharedWith: service });
    const { instance } = other.app.get(WorkerWatchService);
    await until(async () => (await seen(service)).some((row) => row.instance === instance));
    expect(await seen(service)).toEqual([{ instance }]);
  });
});
