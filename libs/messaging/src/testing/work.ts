import { Controller, Get, Module } from '@nestjs/common';
import { connectDatabase, Outbox, PersistenceModule } from '@platform/persistence';
import { parseConfig, serviceConfig, servicePorts, type ServiceDefinition } from '@platform/platform';
import { TestService, until, type TestServiceOptions } from '@platform/testing';
import type { Queue } from 'bullmq';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { JobsService } from '../jobs.service.js';
import { MessagingModule } from '../messaging.module.js';
import type { JobHandlers, QueueDefinition } from '../queue-definition.js';
import { QueueEngine } from '../queue-engine.js';

export type Work = { do: { key: string; owner?: string }; mark: Record<string, never> };

export const workQueue: QueueDefinition<Work> = {
  name: 'work',
  attempts: 3,
  backoff: () => 1,
  concurrency: 4,
  owner: (payload) => ('owner' in payload ? payload.owner : undefined),
};

export const OFF = { WORKERS: 'off' };
export const INLINE = { WORKERS: 'inline' };

export const nothing = () => Promise.resolve();

/** Hooks of the route `/slow`: it calls `enter`, then waits for `leave`. */
export const stage = { enter: () => undefined as void, leave: nothing() };

@Controller('slow')
class SlowRoute {
  constructor(
    private readonly engine: QueueEngine,
    private readonly dataSource: DataSource,
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

/** Defines a service with a worker of `queue`. */
export const define =
  (handlers: Partial<JobHandlers<Work>>, feature: (jobs: JobsService) => void = () => undefined, queue = workQueue) =>
  (env: NodeJS.ProcessEnv): ServiceDefinition => {
    const config = parseConfig({ ...serviceConfig, ...servicePorts(0) }, env);
    const database = { url: config.DATABASE_URL, schema: 'gateway', poolSize: 5, entities: [], migrations: [] };
    const register = (jobs: JobsService) => {
      jobs.registerHandlers(queue, { do: nothing, mark: nothing, ...handlers });
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
        providers: [{ provide: 'FEATURE', useFactory: register, inject: [JobsService] }],
      },
      connect: connectDatabase,
      openApi: { service: 'worker', title: 'Worker', description: 'Worker.' },
    };
  };

let running: TestService[] = [];

/** Starts a service. `stopServices` stops it. */
export async function start(
  handlers: Partial<JobHandlers<Work>> = {},
  options: TestServiceOptions & { feature?: (jobs: JobsService) => void; queue?: typeof workQueue } = {},
): Promise<TestService> {
  const service = await TestService.start(define(handlers, options.feature, options.queue), options);
  running.push(service);
  return service;
}

/**
 * Stops all services that `start` has started; the first one last, because it owns the database. A
 * service that fails to stop does not keep the others running; its error is thrown at the end.
 */
export async function stopServices(options?: Parameters<TestService['stop']>[0]): Promise<void> {
  const services = running.reverse();
  running = [];
  const stopped: PromiseSettledResult<void>[] = [];
  for (const service of services) stopped.push(...(await Promise.allSettled([service.stop(options)])));
  for (const one of stopped) if (one.status === 'rejected') throw one.reason;
}

export function enqueue(service: TestService, key: string, owner?: string): Promise<string> {
  const payload = { key, ...(owner !== undefined && { owner }) };
  return service.app
    .get(Outbox)
    .transaction((em) => service.app.get(JobsService).enqueue(em, workQueue, 'do', payload));
}

export interface Entry {
  id: string;
  attempts: number;
  dispatched_at: Date | null;
  due_at: Date | null;
  failed_at: Date | null;
  error: string | null;
}

export const entries = (service: TestService) => service.query<Entry>('SELECT * FROM outbox ORDER BY id');
export const entry = async (service: TestService, id: string) => (await entries(service)).find((row) => row.id === id);
export const allDone = (service: TestService) => until(async () => (await entries(service)).length === 0);
export const isDispatched = async (service: TestService, id: string) => (await entry(service, id))?.dispatched_at;

/** Stops the workers of all processes from taking jobs. */
export const pauseQueue = (service: TestService) => withQueue(service, (queue) => queue.pause());
export const resumeQueue = (service: TestService) => withQueue(service, (queue) => queue.resume());

/** Waits until the queue itself has the job; the entry is marked a moment earlier. */
export const isQueued = (service: TestService, id: string) =>
  withQueue(service, (queue) => until(() => queue.getJob(id)));

export async function withQueue<T>(service: TestService, work: (queue: Queue) => Promise<T>): Promise<T> {
  const queue = service.app.get(QueueEngine).queue(workQueue.name);
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

/** Number of outbox entries that are not yet in the queue. */
export const waiting = async (service: TestService) =>
  (await entries(service)).filter((row) => !row.dispatched_at).length;

/**
 * Moves the hand-over of each outbox entry, if it was handed over, back by a minute, so that the
 * next sweep looks at it.
 */
export const age = (service: TestService) =>
  service.query("UPDATE outbox SET dispatched_at = dispatched_at - interval '1 minute'");

export async function metric(service: TestService, name: string, labels: Record<string, string>): Promise<number> {
  const found = await service.app.get(Registry).getSingleMetric(name)?.get();
  const value = found?.values.find((one) =>
    Object.entries(labels).every(([label, wanted]) => one.labels[label] === wanted),
  );
  return value?.value ?? 0;
}
