import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { Shared } from './fair-share.js';

interface Entry {
  id: string;
  queue: string;
  name: string;
  payload: Record<string, unknown>;
}

/** A queue that the relay hands to, and how often its jobs are tried. */
export interface RelayedQueue {
  queue: Queue;
  attempts: number;
  /** Where its jobs have owners and this process runs them; else null. */
  shared: Shared | null;
}

const BATCH = 500;
const POLL_MS = 1_000;
const SWEEP_EVERY_MS = 15_000;
/** How long a job may be out of sight before the sweep asks the queue what became of it. */
const OVERDUE = '30 seconds';
/** BullMQ's own copy of a failed job; the outbox row is the lasting one. */
export const KEPT_FAILURES = { age: 7 * 24 * 3600, count: 1_000 };

/**
 * Hands committed outbox entries to their queues, and re-drives those whose job the queue no longer knows. Runs in every process;
 * `SKIP LOCKED` keeps them out of each other's way, and the job id (the entry's) makes a second hand-over harmless.
 */
export class OutboxRelay {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = true;
  private lastSweep = Date.now();
  /** Marked as dispatched, but not known to be in the queue. */
  private readonly undelivered = new Set<string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly queues: ReadonlyMap<string, RelayedQueue>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.stopped = false;
    this.kick();
  }

  /** Hands over what is due, now; call it after a commit. */
  kick(): void {
    if (this.stopped) return;
    if (this.running) {
      this.again = true;
      return;
    }
    clearTimeout(this.timer);
    this.running = this.work().finally(() => {
      this.running = undefined;
      if (this.again) {
        this.again = false;
        this.kick();
      } else if (!this.stopped) this.timer = setTimeout(() => this.kick(), POLL_MS).unref();
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.again = false;
    clearTimeout(this.timer);
    await this.running;
  }

  async markFailed(id: string, error: string): Promise<void> {
    await this.dataSource.query('UPDATE outbox SET failed_at = now(), error = left($2, 500) WHERE id = $1', [id, error]);
  }

  /** A database or queue that is away is logged and tried again at the next poll. */
  private async work(): Promise<void> {
    try {
      await this.takeBackUndelivered();
      while ((await this.dispatch()) === BATCH && !this.stopped);
      if (Date.now() - this.lastSweep > SWEEP_EVERY_MS) {
        this.lastSweep = Date.now();
        await this.sweep();
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'the outbox could not be relayed; trying again');
    }
  }

  /** Marks a batch as dispatched, commits, and only then talks to the queue: a queue that is slow holds no lock. */
  private async dispatch(): Promise<number> {
    const [entries] = await this.dataSource.query<[Entry[], number]>(
      `UPDATE outbox SET dispatched_at = clock_timestamp()
       WHERE id IN (
         SELECT id FROM outbox WHERE dispatched_at IS NULL AND failed_at IS NULL AND queue = ANY ($1)
         ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING id, queue, name, payload`,
      [[...this.queues.keys()], BATCH],
    );
    for (const { id } of entries) this.undelivered.add(id);
    try {
      for (const [name, relayed] of this.queues) {
        const jobs = entries.filter((entry) => entry.queue === name);
        if (jobs.length) await this.addJobs(relayed, jobs);
      }
    } finally {
      await this.takeBackUndelivered();
    }
    return entries.length;
  }

  /** What has no place yet is put aside at once, so that it does not stand in the queue before the jobs of others. */
  private async addJobs({ queue, attempts, shared }: RelayedQueue, entries: Entry[]): Promise<void> {
    const options = { attempts, backoff: { type: 'custom' }, removeOnComplete: true, removeOnFail: KEPT_FAILURES };
    const jobs = entries.map(({ id, name, payload }) => {
      const owner = shared?.owner(payload as never);
      return { id, name, payload, owner, delay: shared?.share.handOver(owner, id) ?? null };
    });
    try {
      await queue.addBulk(
        jobs.map(({ id, name, payload, delay }) => ({
          name,
          data: payload,
          opts: { ...options, jobId: id, ...(delay !== null && { delay }) },
        })),
      );
    } finally {
      for (const { id, owner, delay } of jobs) if (delay !== null) shared?.share.wasPutAside(owner, id, 0);
    }
    for (const { id } of entries) this.undelivered.delete(id);
  }

  /** Where the queue is away the database often is too: then the next poll does this, or after the end of this process the sweep. */
  private async takeBackUndelivered(): Promise<void> {
    if (!this.undelivered.size) return;
    await this.dataSource.query('UPDATE outbox SET dispatched_at = NULL WHERE id = ANY ($1)', [[...this.undelivered]]);
    this.undelivered.clear();
  }

  /** Compares what was handed over some time ago with what the queue knows of it. */
  async sweep(): Promise<void> {
    const overdue = await this.dataSource.query<Entry[]>(
      `SELECT id, queue FROM outbox
       WHERE dispatched_at < now() - interval '${OVERDUE}' AND failed_at IS NULL AND queue = ANY ($1)
       ORDER BY dispatched_at LIMIT $2`,
      [[...this.queues.keys()], BATCH],
    );
    for (const { id, queue } of overdue) {
      const job = await this.queues.get(queue)?.queue.getJob(id);
      const state = await job?.getState();
      if (!job || state === 'unknown' || state === 'completed') {
        // Lost by the queue, or done without being acknowledged; handlers are safe to run again.
        this.logger.warn({ job_id: id, queue }, 'the queue lost a job; handing it over again');
        await this.dataSource.query('UPDATE outbox SET dispatched_at = NULL WHERE id = $1', [id]);
      } else if (state === 'failed') await this.markFailed(id, job.failedReason);
      else await this.dataSource.query('UPDATE outbox SET dispatched_at = now() WHERE id = $1', [id]);
    }
  }
}
