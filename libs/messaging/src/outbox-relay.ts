import { ENTRY_IS_IN_QUEUE, ENTRY_WAITS } from '@platform/persistence';
import { runOutsideSpans } from '@platform/platform';
import type { Job, Queue } from 'bullmq';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { FairShare, Line } from './fair-share.js';
import { LATE_RETRY_MS } from './queue-definition.js';

interface Entry {
  id: string;
  queue: string;
  name: string;
  payload: Record<string, unknown>;
  /** Number of attempts so far. */
  attempts: number;
}

/** A queue that the relay hands entries to, and the number of attempts of its jobs. */
export interface RelayedQueue {
  queue: Queue;
  attempts: number;
  givesUp: boolean;
  /** Null: its jobs have no owners, and all are handed over. */
  share: FairShare | null;
}

/**
 * Number of attempts of a job that have ended, before its last hand-over to the queue and since. It
 * follows from the number of remaining attempts that the queue got with the job. An hourly attempt,
 * after all regular ones, counts like the last regular one.
 */
export const attemptsOf = ({ attempts }: Pick<RelayedQueue, 'attempts'>, job: Job): number =>
  attempts - (job.opts.attempts || attempts) + job.attemptsMade;

const BATCH = 500;
/** Owners of a queue that one query reads. The next query reads the others. */
const OWNERS_OF_A_LOOK = 200;
const POLL_MS = 1_000;
/**
 * Milliseconds between two queries of the outbox. A query takes some milliseconds; if hundreds of
 * jobs end in a second, one query serves several jobs.
 */
const PAUSE_MS = 10;
const MISSED_AGAIN_MS = 50;
const SWEEP_EVERY_MS = 15_000;
/** BullMQ's own copies of failed jobs. The rows of the outbox are permanent. */
export const KEPT_FAILURES = { age: 7 * 24 * 3600, count: 1_000 };

/**
 * True for an entry that was handed over so long ago that the sweep asks the queue about its job.
 */
const IS_OVERDUE = `${ENTRY_IS_IN_QUEUE} AND dispatched_at < now() - interval '30 seconds'`;

/**
 * Waiting jobs of several queues, by owner. It goes from one owner to the next by the index, so
 * that the many jobs of one owner are not read. `$1`: the queues; `$2`: for each queue, the owner
 * to begin with; `$3`: for each queue, the maximum number of jobs of an owner.
 */
const WAITING = `
  SELECT queue, owner, ids FROM unnest($1::text[], $2::text[], $3::int[]) AS looked_at (queue, first_owner, most), LATERAL (
    WITH RECURSIVE owners AS (
      SELECT (SELECT min(owner) FROM outbox WHERE queue = looked_at.queue AND owner >= first_owner AND ${ENTRY_WAITS}) AS owner
      UNION ALL
      SELECT (SELECT min(o.owner) FROM outbox o WHERE o.queue = looked_at.queue AND o.owner > owners.owner AND ${ENTRY_WAITS})
      FROM owners WHERE owners.owner IS NOT NULL)
    SELECT owner, ARRAY(
      SELECT id FROM outbox o WHERE o.queue = looked_at.queue AND o.owner = owners.owner AND ${ENTRY_WAITS} ORDER BY id LIMIT most) AS ids
    FROM owners WHERE owner IS NOT NULL LIMIT ${OWNERS_OF_A_LOOK}) AS line`;

/**
 * Entries with a next attempt that is due. `$1`: the queues; `$2`: maximum number of entries. With
 * the volatile `clock_timestamp()` it could not use the index, and would read all entries that wait
 * for an attempt.
 */
export const DUE = `
  SELECT id FROM outbox WHERE due_at <= statement_timestamp() AND failed_at IS NULL AND queue = ANY ($1)
  ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED`;

interface Waiting extends Line {
  queue: string;
}

/**
 * Hands committed outbox entries to their queues; for a queue with owners, only jobs that have a
 * place. Hands over again the entries of jobs that the queue has lost. Runs in every process with
 * workers, and only there: a process gives places to its own workers. `SKIP LOCKED` keeps processes
 * from waiting for each other. The job has the id of its entry, so a second hand-over has no
 * effect.
 */
export class OutboxRelay {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = true;
  /** Queues to look at next. */
  private wanted = new Set<string>();
  private nextPoll = 0;
  /** Time when the last look ended (`performance.now()`). */
  private lastLook = -Infinity;
  private lastSweep = performance.now();
  /** Entries that are marked as dispatched, or may be, and are not known to be in the queue. */
  private readonly undelivered = new Set<string>();
  /** Owner to begin the next look with, for a queue with too many owners for one look. */
  private readonly firstOwner = new Map<string, string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly queues: ReadonlyMap<string, RelayedQueue>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.stopped = false;
    this.wake();
  }

  /**
   * Hands over waiting entries, of one queue or of all: at once, or 10 ms (`PAUSE_MS`) after the
   * last query of the outbox. Returns before this is done. Does nothing before `start` and after
   * `stop`. Call it after a commit, and when a place is free.
   */
  wake(queue?: string): void {
    if (this.stopped) return;
    for (const name of queue === undefined ? this.queues.keys() : [queue]) this.wanted.add(name);
    this.plan();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.wanted.clear();
    clearTimeout(this.timer);
    await this.running;
  }

  /**
   * Frees the place of a job, and hands over a job that waits for one. Does nothing for a queue
   * without owners.
   */
  releasePlace(queue: string, id: string): void {
    const share = this.queues.get(queue)?.share;
    if (!share) return;
    share.releasePlace(id);
    this.wake(queue);
  }

  /**
   * Makes a job that left the queue wait `waitMs` milliseconds for its next attempt. Does nothing
   * if its entry was deleted or has failed for good. `dispatched_at` gets the same time as
   * `due_at`, so that the entry does not count as waiting for its turn before.
   */
  async postponeJob(id: string, waitMs: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE outbox SET due_at = due.at, dispatched_at = due.at FROM (SELECT clock_timestamp() + $2 * interval '1 ms' AS at) AS due
       WHERE id = $1 AND failed_at IS NULL`,
      [id, waitMs],
    );
    this.nextPoll = Math.min(this.nextPoll, performance.now() + waitMs);
    this.plan();
  }

  /**
   * Sets the timer for the next query of the outbox: soon if a queue is in `wanted`, otherwise at
   * `nextPoll`. Does nothing during a query, because its end calls this again.
   */
  private plan(): void {
    if (this.stopped || this.running) return;
    clearTimeout(this.timer);
    const soon = this.wanted.size ? this.lastLook + PAUSE_MS : Infinity;
    const wait = Math.min(soon, this.nextPoll) - performance.now();
    if (wait > 0) this.timer = setTimeout(() => this.look(), Math.ceil(wait)).unref();
    else this.look();
  }

  private look(): void {
    this.running = runOutsideSpans(() => this.work()).finally(() => {
      this.running = undefined;
      this.lastLook = performance.now();
      this.plan();
    });
  }

  /**
   * Writes the number of attempts of a job, unless a larger one is stored, and the first 500
   * characters of its error to its entry. Call it before the queue removes the job, so that the
   * attempt counts even if the queue then loses the job. If a process is killed before this,
   * another process repeats the attempt.
   *
   * @param error the error of the last regular attempt, or of a later one; null before. An entry
   * with an error counts as `late`.
   */
  async recordAttempt(id: string, attempts: number, error: string | null): Promise<void> {
    await this.dataSource.query(
      'UPDATE outbox SET attempts = greatest(attempts, $2), error = left($3, 500) WHERE id = $1',
      [id, attempts, error],
    );
  }

  /**
   * Schedules the next attempt of a job that the queue counts as failed, an hour from now. The job
   * is removed from the queue first, because the queue accepts no second job with an id that it
   * still has. If its worker still has the job, or another process has just removed it, only the
   * attempt is counted: that process continues, or the next sweep does.
   */
  async scheduleLateRetry({ id = '', queueName }: Job, attempts: number, error: string): Promise<void> {
    await this.recordAttempt(id, attempts, error);
    const removed = await this.queues.get(queueName)?.queue.remove(id);
    if (removed) await this.postponeJob(id, LATE_RETRY_MS);
  }

  async markFailed(id: string, attempts: number, error: string): Promise<void> {
    await this.dataSource.query(
      'UPDATE outbox SET failed_at = now(), due_at = NULL, attempts = greatest(attempts, $2), error = left($3, 500) WHERE id = $1 AND failed_at IS NULL',
      [id, attempts, error],
    );
  }

  /**
   * Looks at the outbox once: entries whose next attempt is due get their turn, waiting entries are
   * handed over, and a sweep runs if the last one was 15 s ago. If the database or the queue is
   * unavailable, this is logged, and the next poll tries again.
   */
  private async work(): Promise<void> {
    const isPoll = performance.now() >= this.nextPoll;
    if (isPoll) this.nextPoll = performance.now() + POLL_MS;
    const names = isPoll ? [...this.queues.keys()] : [...this.wanted];
    this.wanted.clear();
    if (isPoll)
      await this.requeueDue().catch((error: unknown) =>
        this.logger.warn({ err: error }, 'due attempts could not be requeued; trying again'),
      );
    try {
      await this.takeBackUndelivered();
      while ((await this.dispatch(names)) >= BATCH && !this.stopped);
      if (performance.now() - this.lastSweep > SWEEP_EVERY_MS) {
        this.lastSweep = performance.now();
        await this.requeueLostJobs();
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'the outbox could not be relayed; trying again');
    }
  }

  /**
   * Makes up to 500 entries whose next attempt is due wait for their turn. They count as due since
   * that time.
   */
  private async requeueDue(): Promise<void> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE outbox SET dispatched_at = NULL, created_at = due_at, due_at = NULL WHERE id IN (${DUE})`,
      [[...this.queues.keys()], BATCH],
    );
    if (count === BATCH) this.nextPoll = performance.now(); // the rest follows after this look
  }

  /**
   * Hands over a batch of waiting entries, and returns their number; 0 if none can be handed over.
   * It marks them as dispatched, commits, and only then calls the queue, so that a slow queue holds
   * no lock. Entries that do not reach the queue are taken back, and the error is thrown.
   */
  private async dispatch(names: string[]): Promise<number> {
    const chosen = await this.choose(names);
    if (!chosen.length) return 0;
    const entries = await this.markDispatched(chosen);
    for (const { id } of entries) this.undelivered.add(id);
    const taken = new Map(entries.map((entry) => [entry.id, entry]));
    const inOrder = chosen.flatMap((id) => taken.get(id) ?? []);
    const missed = chosen.filter((id) => !taken.has(id));
    this.withdraw(names, missed);
    // Their places are free now. The next look is not at once: a locked row is missed as long as it
    // is locked.
    if (missed.length) this.nextPoll = Math.min(this.nextPoll, performance.now() + MISSED_AGAIN_MS);
    try {
      for (const name of names) {
        const jobs = inOrder.filter(({ queue }) => queue === name);
        if (jobs.length) await this.addJobs(name, jobs);
      }
    } finally {
      await this.takeBackUndelivered();
    }
    return entries.length;
  }

  /**
   * Marks entries as dispatched, and returns them without those that another process has taken or
   * locked. If the database is lost meanwhile, it may have committed; then all entries are taken
   * back when it is available again.
   */
  private async markDispatched(chosen: string[]): Promise<Entry[]> {
    try {
      const [entries] = await this.dataSource.query<[Entry[], number]>(
        `UPDATE outbox SET dispatched_at = clock_timestamp(), due_at = NULL
         WHERE id IN (SELECT id FROM outbox WHERE id = ANY ($1) AND ${ENTRY_WAITS} FOR UPDATE SKIP LOCKED)
         RETURNING id, queue, name, payload, attempts`,
        [chosen],
      );
      return entries;
    } catch (error) {
      for (const id of chosen) this.undelivered.add(id);
      throw error;
    }
  }

  /**
   * Chooses the entries to hand over now, and returns their ids. It looks at up to 200 owners of
   * each queue, and goes on with the others in the next look. For a queue with owners it first
   * frees the places of jobs that have ended elsewhere, then gives places, and returns only entries
   * that got one.
   */
  private async choose(names: string[]): Promise<string[]> {
    const most = names.map((name) => this.queues.get(name)?.share?.maxPlacesOfOwner ?? BATCH);
    const firstOwners = names.map((name) => this.firstOwner.get(name) ?? '');
    const [waiting] = await Promise.all([
      this.dataSource.query<Waiting[]>(WAITING, [names, firstOwners, most]),
      this.releaseOfOthers(names),
    ]);
    return names.flatMap((name) => {
      const lines = waiting.filter(({ queue }) => queue === name);
      const isFirst = !this.firstOwner.get(name);
      const isLast = lines.length < OWNERS_OF_A_LOOK;
      if (isLast && !isFirst) this.wanted.add(name); // the next look begins at the first owner
      this.firstOwner.set(name, isLast ? '' : (lines.at(-1)?.owner ?? ''));
      return this.queues.get(name)?.share?.assignPlaces(lines, !(isFirst && isLast)) ?? lines.flatMap(({ ids }) => ids);
    });
  }

  /**
   * Frees the places of jobs whose entry is no longer in the queue: deleted, failed, or waiting for
   * another attempt. Another process can run a job that has a place here, and does not report its
   * end.
   */
  private async releaseOfOthers(names: string[]): Promise<void> {
    const shares = this.sharesOf(names);
    const held = shares.flatMap(({ ids }) => ids);
    if (!held.length) return;
    const gone = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM unnest($1::text[]) AS held (id) WHERE NOT EXISTS (SELECT FROM outbox o WHERE o.id = held.id AND ${ENTRY_IS_IN_QUEUE})`,
      [held],
    );
    for (const share of shares) for (const { id } of gone) share.releasePlace(id);
  }

  private sharesOf(names: string[]): FairShare[] {
    return names.flatMap((name) => this.queues.get(name)?.share ?? []);
  }

  /**
   * Adds jobs to a queue; does nothing if this process has no such queue. BullMQ retries none of
   * them, unless the database is unavailable when a job fails: `JobsService.attempt` ends each
   * attempt, and the job returns by `postponeJob`. The option `attempts` tells the worker how many
   * are left; `backoff` is for retries of BullMQ.
   */
  private async addJobs(name: string, entries: Entry[]): Promise<void> {
    const relayed = this.queues.get(name);
    if (!relayed) return;
    const options = { backoff: { type: 'custom' }, removeOnComplete: true, removeOnFail: KEPT_FAILURES };
    await relayed.queue.addBulk(
      entries.map(({ id, name, payload, attempts }) => ({
        name,
        data: payload,
        opts: { ...options, jobId: id, attempts: Math.max(1, relayed.attempts - attempts) },
      })),
    );
    for (const { id } of entries) this.undelivered.delete(id);
  }

  private withdraw(names: string[], ids: string[]): void {
    for (const share of this.sharesOf(names)) for (const id of ids) share.withdrawPlace(id);
  }

  /**
   * Makes entries that did not reach the queue wait for their turn again, and withdraws their
   * places. During an outage of the queue, the database often is unavailable too: then this throws,
   * and the next poll does it, or the sweep if this process ends before.
   */
  private async takeBackUndelivered(): Promise<void> {
    if (!this.undelivered.size) return;
    await this.dataSource.query(`UPDATE outbox SET dispatched_at = NULL WHERE id = ANY ($1) AND ${ENTRY_IS_IN_QUEUE}`, [
      [...this.undelivered],
    ]);
    this.withdraw([...this.queues.keys()], [...this.undelivered]);
    this.undelivered.clear();
  }

  /**
   * Compares up to 500 entries that were handed over more than 30 s ago with their jobs in the
   * queue. If the queue lost the job, or has it as completed, the entry waits for its turn again. A
   * failed job is marked as failed if its queue gives up, otherwise it runs again an hour later.
   * Other jobs are compared again after 30 s; a delayed one loses its place.
   */
  async requeueLostJobs(): Promise<void> {
    const overdue = await this.dataSource.query<Pick<Entry, 'id' | 'queue'>[]>(
      `SELECT id, queue FROM outbox WHERE ${IS_OVERDUE} AND queue = ANY ($1) ORDER BY dispatched_at LIMIT $2`,
      [[...this.queues.keys()], BATCH],
    );
    for (const { id, queue: name } of overdue) {
      const relayed = this.queues.get(name);
      const job = await relayed?.queue.getJob(id);
      const state = await job?.getState();
      if (!relayed || !job || state === 'unknown' || state === 'completed') {
        // The queue lost the job, or it is done and was not acknowledged. Handlers are safe to run
        // again.
        const [, count] = await this.dataSource.query<[unknown[], number]>(
          `UPDATE outbox SET dispatched_at = NULL WHERE id = $1 AND ${IS_OVERDUE}`,
          [id],
        );
        if (count) this.logger.warn({ job_id: id, queue: name }, 'the queue lost a job; handing it over again');
      } else if (state === 'failed') {
        if (relayed.givesUp) await this.markFailed(id, attemptsOf(relayed, job), job.failedReason);
        else await this.scheduleLateRetry(job, attemptsOf(relayed, job), job.failedReason); // a job that cannot succeed fails again
      } else {
        if (state === 'delayed') relayed.share?.releasePlace(id); // waits in BullMQ, see `addJobs`, and needs no place meanwhile
        await this.dataSource.query(`UPDATE outbox SET dispatched_at = now() WHERE id = $1 AND ${IS_OVERDUE}`, [id]);
      }
    }
  }
}
