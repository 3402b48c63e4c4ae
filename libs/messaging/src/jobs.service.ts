import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import {
  ENTRY_FAILED,
  ENTRY_IS_IN_QUEUE,
  ENTRY_IS_LATE,
  ENTRY_WAITS,
  ENTRY_WAITS_FOR_RETRY,
  isOutboxId,
  Outbox,
} from '@platform/persistence';
import { currentContext, LOGGER, ReadinessService, runInContext, tracedJob, withoutOrigin } from '@platform/platform';
import type { Job, Worker } from 'bullmq';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import { FairShare, OWNERS_AT_ONCE } from './fair-share.js';
import { BroadcastService } from './broadcast.service.js';
import { attemptsOf, KEPT_FAILURES, OutboxRelay, type RelayedQueue } from './outbox-relay.js';
import { PermanentFailure, QueueEngine, RETRY_MS } from './queue-engine.js';
import { registerQueueGauges } from './queue-gauges.js';
import {
  toOutboxEntry,
  LATE_RETRY_MS,
  Postponed,
  type JobHandlers,
  type JobPayloads,
  type QueueDefinition,
  type QueueSettings,
} from './queue-definition.js';

export const RUN_WORKERS = Symbol('RUN_WORKERS');

/** Topic that tells processes with workers about new entries. */
export const ENTRIES_ADDED = 'outbox';
/** Milliseconds between two of these messages from a process. */
const ANNOUNCE_EVERY_MS = 50;

/**
 * Interval at which a process with workers checks that its queues have their schedules. Specs
 * shorten it.
 */
export const SCHEDULE_CHECKS = { everyMs: 60_000 };

/** Result of a job that must run again. */
interface Retry {
  waitMs: number;
}

type AnyHandler = (payload: never, job: { id: string; attempt: number }) => Promise<void>;

interface Registration {
  definition: QueueSettings;
  handlers: Record<string, AnyHandler>;
  /** Null: the jobs have no owners. */
  share: FairShare | null;
  schedules: Schedule[];
}

interface Schedule {
  name: string;
  everyMs: number;
  atStart: boolean;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const scheduledJob = (name: string) => ({ name, opts: { removeOnComplete: true, removeOnFail: KEPT_FAILURES } });

/**
 * Background work. Features register their handlers, and enqueue jobs in the transaction that
 * causes them.
 */
@Injectable()
export class JobsService implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly registrations = new Map<string, Registration>();
  private readonly workers: Worker[] = [];
  private readonly queues = new Map<string, RelayedQueue>();
  private readonly relay: OutboxRelay;
  private readonly processed: Counter;
  private readonly stopping = new AbortController();
  private announcing: Promise<void> | undefined;
  private hasNews = false;
  private isHeld = false;
  /** Results of jobs that are being recorded. */
  private readonly settling = new Set<Promise<void>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly engine: QueueEngine,
    private readonly broadcast: BroadcastService,
    @Inject(RUN_WORKERS) private readonly runWorkers: boolean,
    @Inject(LOGGER) private readonly logger: Logger,
    readiness: ReadinessService,
    registry: Registry,
  ) {
    setMaxListeners(0, this.stopping.signal); // every queue and schedule that waits for its server has a listener
    this.relay = new OutboxRelay(dataSource, this.queues, logger);
    if (runWorkers) {
      outbox.onCommit(() => this.relay.wake());
      broadcast.subscribe(ENTRIES_ADDED, () => this.relay.wake());
    } else outbox.onCommit(() => this.announce());
    readiness.addCheck({ name: 'queue', check: () => engine.check(dataSource) });
    this.processed = new Counter({
      name: 'jobs_processed_total',
      help: 'Attempts at jobs by their outcome',
      labelNames: ['queue', 'job', 'outcome'],
      registers: [registry],
    });
    this.countOutbox(registry);
    registerQueueGauges(registry, dataSource, () => [...this.registrations.keys()]);
  }

  /** True if this process takes jobs from all of its queues; false if it has no workers. */
  get isWorking(): boolean {
    return this.workers.length > 0 && this.workers.every((worker) => worker.isRunning());
  }

  /**
   * Registers the handlers of a queue. A feature calls it in its constructor. The handlers run in
   * this process if it runs workers.
   *
   * @throws Error if the queue already has handlers.
   */
  registerHandlers<Work extends JobPayloads>(definition: QueueDefinition<Work>, handlers: JobHandlers<Work>): void {
    if (this.registrations.has(definition.name)) throw new Error(`The queue ${definition.name} is processed twice.`);
    const { name, owner, concurrency, owners = OWNERS_AT_ONCE } = definition;
    const share = owner ? new FairShare(concurrency, owners) : null;
    this.registrations.set(name, { definition, handlers, share, schedules: [] });
  }

  /**
   * Runs a job of a queue repeatedly, once per interval for all processes together. The first run
   * can be a whole interval away. With `atStart` the job also runs when a process with workers
   * starts. That run has the attempts of the queue; another failed run is not retried before the
   * next interval. Call `registerHandlers` first: without the handlers of the queue, this does
   * nothing.
   */
  scheduleJob<Work extends JobPayloads>(
    definition: QueueDefinition<Work>,
    name: keyof Work & string,
    everyMs: number,
    { atStart = false } = {},
  ): void {
    this.registrations.get(definition.name)?.schedules.push({ name, everyMs, atStart });
  }

  /**
   * Enqueues a job in the transaction `em`: it runs, at least once, if and only if the transaction
   * commits. Returns the id of the job.
   */
  enqueue<Work extends JobPayloads, Name extends keyof Work & string>(
    em: EntityManager,
    definition: QueueDefinition<Work>,
    name: Name,
    payload: Work[Name],
  ): Promise<string> {
    return this.outbox.addEntry(em, toOutboxEntry(definition, name, payload));
  }

  /**
   * Like `enqueue`, for many jobs of one kind in one statement. Returns their ids in the order of
   * `payloads`.
   */
  enqueueAll<Work extends JobPayloads, Name extends keyof Work & string>(
    em: EntityManager,
    definition: QueueDefinition<Work>,
    name: Name,
    payloads: Work[Name][],
  ): Promise<string[]> {
    const entries = payloads.map((payload) => toOutboxEntry(definition, name, payload));
    return this.outbox.addEntries(em, { queue: definition.name, name }, entries);
  }

  /**
   * Compares jobs that were handed over more than 30 s ago, up to 500, with the queue now. Jobs
   * that it has lost wait for their turn again; jobs that it counts as failed are treated as in
   * `OutboxRelay.requeueLostJobs`. A process with workers does this every 15 s; call it there to do
   * it now. In a process without workers it does nothing.
   */
  async requeueLostJobs(): Promise<void> {
    await this.relay.requeueLostJobs();
    this.relay.wake();
  }

  onApplicationBootstrap(): void {
    if (!this.runWorkers) return;
    for (const registration of this.registrations.values()) void this.openQueue(registration);
    this.relay.start();
    for (const registration of this.registrations.values()) this.startWorker(registration);
    void this.keepSchedules();
  }

  /** Takes no jobs until `start`. Call it before the application is initialised. */
  hold(): void {
    this.isHeld = true;
  }

  /** Takes jobs from now on, after `hold`. */
  start(): void {
    this.isHeld = false;
    for (const worker of this.workers) this.takeJobs(worker);
  }

  /**
   * Resolves when all workers of this process are connected to their queues or have failed to,
   * after `mostMs`, or when the process stops; at once without workers.
   */
  async waitUntilConnected(mostMs: number): Promise<void> {
    const over = new AbortController();
    const time = delay(mostMs, undefined, { signal: AbortSignal.any([over.signal, this.stopping.signal]) }).catch(
      () => undefined,
    );
    await Promise.race([Promise.allSettled(this.workers.map((worker) => worker.waitUntilReady())), time]);
    over.abort();
  }

  /**
   * Stops the relay and the workers, and closes the queues. The workers finish the jobs that they
   * have started, and the results are recorded; other jobs stay in the queue for another process.
   * If the queues are unavailable, it stops only the relay, and does not wait for the jobs.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.relay.stop(), this.announcing]);
    const isReachable = await this.engine.check(this.dataSource).then(
      () => true,
      () => false,
    );
    // A queue that is unavailable acknowledges nothing, and BullMQ would wait until it is available
    // again.
    if (!isReachable) return;
    await Promise.all(this.workers.map((worker) => worker.close()));
    await Promise.all(this.settling);
    await Promise.all([...this.queues.values()].map(({ queue }) => queue.close()));
  }

  /**
   * Closes the connections to the queues. It runs last, because open requests count their rate
   * limits on the same Redis.
   */
  async onApplicationShutdown(): Promise<void> {
    await this.engine.close();
  }

  /**
   * Tells the processes with workers that the outbox has new entries. It sends at most one message
   * in 50 ms, for any number of commits. If a message is lost, workers find the entries within a
   * second.
   */
  private announce(): void {
    this.hasNews = true;
    this.announcing ??= this.announceNews().finally(() => (this.announcing = undefined));
  }

  private async announceNews(): Promise<void> {
    while (this.hasNews && !this.stopping.signal.aborted) {
      this.hasNews = false;
      await this.broadcast.publish(ENTRIES_ADDED, ['all']);
      await this.pause(ANNOUNCE_EVERY_MS);
    }
  }

  /**
   * Opens a queue, and after each failure closes it and creates it again a second later, until it
   * is open or the process stops. Failures are logged. BullMQ asks Redis for its version once: if
   * this question is lost in an outage, the queue fails forever.
   */
  private async openQueue({ definition, share }: Registration): Promise<void> {
    const { name, attempts, givesUp = false } = definition;
    while (!this.stopping.signal.aborted) {
      const queue = this.engine.queue(name);
      this.queues.set(name, { queue, attempts, givesUp, share });
      try {
        await queue.waitUntilReady();
        return;
      } catch (error) {
        this.logger.warn({ err: error, queue: name }, 'could not open a queue; trying again');
      }
      await this.pause();
      await queue.close().catch(() => undefined);
    }
  }

  private startWorker(registration: Registration): void {
    const { definition, schedules, share } = registration;
    // Not awaited, because a service must start without its queue.
    for (const schedule of schedules) void this.startSchedule(definition, schedule);
    const { name, concurrency, backoff } = definition;
    const worker = this.engine.worker(name, (job) => this.run(registration, job), {
      concurrency: share?.maxPlaces ?? concurrency,
      backoff,
    });
    worker.on('failed', (job, error) => this.settle(this.settleFailure(definition, job, error)));
    // Not earlier: until this event the queue has a job with this id, and accepts no other.
    worker.on('completed', ({ id }, retry: Retry | undefined) => {
      if (retry) this.settle(this.relay.postponeJob(id as string, retry.waitMs));
    });
    this.workers.push(worker);
    if (!this.isHeld) this.takeJobs(worker);
  }

  private takeJobs(worker: Worker): void {
    // `run` resolves only when the worker closes.
    worker.run().catch((error: unknown) => this.logger.error({ err: error, queue: worker.name }, 'the worker stopped'));
  }

  /**
   * Creates or updates a schedule in its queue and, with `atStart`, enqueues one more run for now;
   * processes that start together share this run. Resolves when the queue has them, or when the
   * process stops. After a failure it is logged and tried again a second later.
   */
  private async startSchedule(
    { name: queue, attempts }: QueueSettings,
    { name, everyMs, atStart }: Schedule,
  ): Promise<void> {
    // The same id in all processes, so that processes that start together cause one job. The job is
    // not kept, because it would prevent the job of the next start.
    const now = {
      jobId: `${name}-at-start`,
      attempts,
      backoff: { type: 'custom' },
      removeOnComplete: true,
      removeOnFail: true,
    };
    while (!this.stopping.signal.aborted) {
      try {
        await this.queues.get(queue)?.queue.upsertJobScheduler(name, { every: everyMs }, scheduledJob(name));
        if (atStart) await this.queues.get(queue)?.queue.add(name, {}, now);
        return;
      } catch (error) {
        this.logger.warn({ err: error, queue, job: name }, 'could not schedule a job; trying again');
      }
      await this.pause();
    }
  }

  /**
   * Checks the schedules every 60 s until the process stops, and creates those again that a queue
   * has lost, for example because Redis was flushed.
   */
  private async keepSchedules(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.pause(SCHEDULE_CHECKS.everyMs);
      await this.restoreSchedules().catch((error: unknown) => {
        if (!this.stopping.signal.aborted)
          this.logger.warn({ err: error }, 'could not check the schedules; trying again');
      });
    }
  }

  private async restoreSchedules(): Promise<void> {
    for (const { definition, schedules } of this.registrations.values()) {
      for (const { name, everyMs } of schedules) {
        if (this.stopping.signal.aborted) return;
        const queue = this.queues.get(definition.name)?.queue;
        if (!queue || (await queue.getJobScheduler(name))) continue;
        this.logger.warn({ queue: definition.name, job: name }, 'the queue lost a schedule; making it again');
        await queue.upsertJobScheduler(name, { every: everyMs }, scheduledJob(name));
      }
    }
  }

  private async pause(ms = RETRY_MS): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  /**
   * Makes the shutdown wait until the result of a job is recorded. If it cannot be recorded, that
   * is logged, and the sweep finds the job later.
   */
  private settle(recorded: Promise<void>): void {
    const settled = recorded
      .catch((error: unknown) => this.logger.error({ err: error }, 'could not record the result of a job'))
      .finally(() => this.settling.delete(settled));
    this.settling.add(settled);
  }

  private run(registration: Registration, job: Job): Promise<Retry | undefined> {
    const { payload, origin } = withoutOrigin(job.data as Record<string, unknown> | undefined);
    return tracedJob(`${registration.definition.name} ${job.name}`, origin, () =>
      this.attempt(registration, job, payload),
    );
  }

  private async attempt({ definition, handlers }: Registration, job: Job, payload: object): Promise<Retry | undefined> {
    const id = job.id as string;
    const attempt = attemptsOf(definition, job) + 1;
    const log = this.logger.child({ job_id: id, queue: definition.name, job: job.name });
    const started = Date.now();
    const name = `job:${definition.name}`;
    try {
      const handler = handlers[job.name];
      if (!handler) throw new Error(`There is no handler for ${definition.name}/${job.name}.`);
      await runInContext({ requestId: id, log, caller: name, actor: { type: 'system', id: name }, isJob: true }, () =>
        handler(payload as never, { id, attempt }),
      );
      await this.dataSource.query('DELETE FROM outbox WHERE id = $1', [id]);
      this.processed.inc({ queue: definition.name, job: job.name, outcome: 'done' });
      log[definition.isRoutine ? 'debug' : 'info']({ duration_ms: Date.now() - started }, 'job done');
      return undefined;
    } catch (error) {
      // The job has no entry: BullMQ retries a job of the start, and a scheduled job runs again at
      // its next interval.
      if (!isOutboxId(id)) throw error;
      if (error instanceof Postponed) {
        this.processed.inc({ queue: definition.name, job: job.name, outcome: 'postponed' });
        log.debug({ wait_ms: error.waitMs, why: error.message }, 'job put back');
        return { waitMs: error.waitMs };
      }
      const isLate = attempt >= definition.attempts;
      if ((isLate && definition.givesUp) || error instanceof PermanentFailure) throw error;
      await this.relay.recordAttempt(id, attempt, isLate ? messageOf(error) : null).catch(() => {
        throw error; // the database is unavailable: BullMQ retries the job
      });
      this.noteFailure(job, attempt, error, false);
      return { waitMs: isLate ? LATE_RETRY_MS : definition.backoff(attempt) };
    } finally {
      this.relay.releasePlace(definition.name, id);
    }
  }

  private async settleFailure(definition: QueueSettings, job: Job | undefined, error: Error): Promise<void> {
    if (!job) return;
    const isFinal = job.finishedOn !== undefined;
    const attempts = attemptsOf(definition, job);
    this.noteFailure(job, attempts, error, isFinal);
    if (!isFinal) return;
    if (definition.givesUp || error instanceof PermanentFailure)
      await this.relay.markFailed(job.id as string, attempts, error.message);
    else if (isOutboxId(job.id as string)) await this.relay.scheduleLateRetry(job, attempts, error.message);
  }

  private noteFailure(job: Job, attempt: number, error: unknown, isFinal: boolean): void {
    const { id, queueName: queue, name } = job;
    this.processed.inc({ queue, job: name, outcome: isFinal ? 'failed' : 'retried' });
    const log = currentContext()?.log ?? this.logger;
    log.warn({ job_id: id, queue, job: name, attempt, err: error }, isFinal ? 'job failed' : 'job will be retried');
  }

  private countOutbox(registry: Registry): void {
    const { dataSource } = this;
    new Gauge({
      name: 'outbox_entries',
      help: 'Unfinished work: waiting for its turn, in the queue or running, waiting for its next attempt, waiting after all regular attempts failed, or failed for good',
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        const [counts] = await dataSource.query<
          Record<'waiting' | 'dispatched' | 'retrying' | 'late' | 'failed', number>[]
        >(`
          SELECT count(*) FILTER (WHERE ${ENTRY_WAITS})::int AS waiting,
                 count(*) FILTER (WHERE ${ENTRY_IS_IN_QUEUE})::int AS dispatched,
                 count(*) FILTER (WHERE ${ENTRY_WAITS_FOR_RETRY} AND NOT ${ENTRY_IS_LATE})::int AS retrying,
                 count(*) FILTER (WHERE ${ENTRY_WAITS_FOR_RETRY} AND ${ENTRY_IS_LATE})::int AS late,
                 count(*) FILTER (WHERE ${ENTRY_FAILED})::int AS failed
          FROM outbox`);
        for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count);
      },
    });
  }
}
