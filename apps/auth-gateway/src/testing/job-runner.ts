import { JobsService } from '@platform/messaging';
import { isWaiting, waitCallbacks, type TestService } from '@platform/testing';

/** Parts of a BullMQ job that `JobsService` reads. */
interface TakenJob {
  id: string;
  name: string;
  data: object;
  opts: { attempts?: number };
  attemptsMade: number;
  finishedOn?: number;
  queueName: string;
}

interface Registration {
  definition: { name: string; attempts: number };
  schedules: { name: string }[];
}

/** Private parts of `JobsService` with which a worker runs a job. */
interface JobsWithoutWorkers {
  registrations: Map<string, Registration>;
  run(registration: Registration, job: TakenJob): Promise<{ waitMs: number } | undefined>;
  settleFailure(definition: Registration['definition'], job: TakenJob, error: unknown): Promise<void>;
  noteFailure(job: TakenJob, attempt: number, error: unknown, isFinal: boolean): void;
  relay: { postponeJob(id: string, waitMs: number): Promise<void> };
}

interface Taken {
  id: string;
  queue: string;
  name: string;
  payload: object;
  attempts: number;
}

/** Queues with jobs that call a service which most specs do not start. */
const NEED_OTHER_SERVICES = ['app-sync', 'events-to-host'];

/** Takes the next due entry, as the relay does. */
const TAKE = `
  UPDATE outbox SET dispatched_at = clock_timestamp(), due_at = NULL WHERE id = (
    SELECT id FROM outbox WHERE queue = ANY ($1) AND failed_at IS NULL
      AND (dispatched_at IS NULL AND due_at IS NULL OR due_at <= clock_timestamp())
    ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, queue, name, payload, attempts`;

/**
 * Runs the jobs of a service without workers, one after the other in the order of the outbox, while
 * a spec waits for them or in `until`.
 */
export class JobRunner {
  private readonly jobs: JobsWithoutWorkers;
  private running: Promise<void> | undefined;
  private failure: unknown;
  private readonly failedJobs: string[] = [];
  private readonly mayFail = new Set(NEED_OTHER_SERVICES);
  private readonly proceed = (): void => {
    if (this.failure) throw this.failure as Error;
    this.running ??= this.runWhile(isWaiting)
      .catch((error: unknown) => void (this.failure ??= error))
      .finally(() => (this.running = undefined));
  };

  constructor(private readonly service: TestService) {
    this.jobs = service.app.get(JobsService);
    const noteFailure = this.jobs.noteFailure.bind(this.jobs);
    this.jobs.noteFailure = (job, attempt, error, isFinal) => {
      if (!this.mayFail.has(job.queueName))
        this.failedJobs.push(`${job.queueName}/${job.name}: ${(error as Error).stack}`);
      noteFailure(job, attempt, error, isFinal);
    };
    waitCallbacks.add(this.proceed);
  }

  /** Runs due jobs, and those that they enqueue, until none is left. Does not wait for retries. */
  async runDueJobs(): Promise<void> {
    while (this.running) await this.running;
    await (this.running = this.runWhile(() => true).finally(() => (this.running = undefined)));
  }

  /** Runs a scheduled job now. Rejects with the error of its handler. */
  async runScheduled(queue: string, name: string): Promise<void> {
    const registration = this.jobs.registrations.get(queue);
    if (!registration?.schedules.some((schedule) => schedule.name === name))
      throw new Error(`${queue}/${name} has no schedule.`);
    while (this.running) await this.running;
    await this.jobs.run(registration, {
      id: `scheduled ${name}`,
      name,
      data: {},
      opts: {},
      attemptsMade: 0,
      queueName: queue,
    });
  }

  /** Allows jobs of this queue to fail. */
  expectFailures(queue: string): void {
    this.mayFail.add(queue);
  }

  /**
   * Waits for the running job. Rejects if the outbox could not be read, or if a job failed
   * unexpectedly.
   */
  async stop(): Promise<void> {
    waitCallbacks.delete(this.proceed);
    await this.running;
    if (this.failure) throw this.failure as Error;
    if (this.failedJobs.length)
      throw new Error(`Jobs failed. A spec that wants it calls expectFailures.\n${this.failedJobs.join('\n')}`);
  }

  private async runWhile(isWanted: () => boolean): Promise<void> {
    while (isWanted()) {
      const [[taken]] = (await this.service.query<Taken[]>(TAKE, [[...this.jobs.registrations.keys()]])) as unknown as [
        Taken[],
      ];
      if (!taken) return;
      await this.runOne(taken);
    }
  }

  private async runOne({ id, queue, name, payload, attempts }: Taken): Promise<void> {
    const { registrations, relay } = this.jobs;
    const registration = registrations.get(queue) as Registration;
    const { definition } = registration;
    const job = {
      id,
      name,
      data: payload,
      opts: { attempts: Math.max(1, definition.attempts - attempts) },
      attemptsMade: 0,
      queueName: queue,
    };
    try {
      const retry = await this.jobs.run(registration, job);
      if (retry) await relay.postponeJob(id, retry.waitMs);
    } catch (error) {
      await this.jobs.settleFailure(definition, { ...job, attemptsMade: 1, finishedOn: Date.now() }, error);
    }
  }
}
