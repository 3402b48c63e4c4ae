import { ENTRY_IS_IN_QUEUE, ENTRY_WAITS } from '@platform/persistence';
import { outsideOfSpans } from '@platform/platform';
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
  /** How often it was tried. */
  attempts: number;
}

/** A queue that the relay hands to, and how often its jobs are tried. */
export interface RelayedQueue {
  queue: Queue;
  attempts: number;
  givesUp: boolean;
  /** Null: its jobs have no owners, and all are handed over. */
  share: FairShare | null;
}

/** How often a job was tried, before it was handed over and since. The queue was told how many attempts are left (none of what runs on schedule). */
export const attemptsOf = ({ attempts }: Pick<RelayedQueue, 'attempts'>, job: Job): number =>
  attempts - (job.opts.attempts || attempts) + job.attemptsMade;

const BATCH = 500;
/** At so many owners of a queue it is looked at once, and at the others the next time. */
const OWNERS_OF_A_LOOK = 200;
const POLL_MS = 1_000;
/** The pause between two looks at the outbox. A look costs some milliseconds; where hundreds of jobs end in a second, one look serves several jobs. */
const PAUSE_MS = 10;
const MISSED_AGAIN_MS = 50;
const SWEEP_EVERY_MS = 15_000;
/** BullMQ's own copy of a failed job; the outbox row is the lasting one. */
export const KEPT_FAILURES = { age: 7 * 24 * 3600, count: 1_000 };

/** A release before takes up what waits for its next attempt, and leaves when that is. */
const IS_WAITING = `${ENTRY_WAITS} AND (due_at IS NULL OR due_at <= statement_timestamp())`;
/** Out of sight for so long that the sweep asks the queue what became of it. */
const IS_OVERDUE = `${ENTRY_IS_IN_QUEUE} AND dispatched_at < now() - interval '30 seconds'`;

/**
 * What waits in some queues, by owner: it goes from one owner to the next by the index, so that the many jobs of one are not read. `$1`: the queues;
 * `$2`: of each, the owner to begin with; `$3`: of each, how many jobs of an owner at most.
 */
const WAITING = `
  SELECT queue, owner, ids FROM unnest($1::text[], $2::text[], $3::int[]) AS looked_at (queue, first_owner, most), LATERAL (
    WITH RECURSIVE owners AS (
      SELECT (SELECT min(owner) FROM outbox WHERE queue = looked_at.queue AND owner >= first_owner AND ${IS_WAITING}) AS owner
      UNION ALL
      SELECT (SELECT min(o.owner) FROM outbox o WHERE o.queue = looked_at.queue AND o.owner > owners.owner AND ${IS_WAITING})
      FROM owners WHERE owners.owner IS NOT NULL)
    SELECT owner, ARRAY(
      SELECT id FROM outbox o WHERE o.queue = looked_at.queue AND o.owner = owners.owner AND ${IS_WAITING} ORDER BY id LIMIT most) AS ids
    FROM owners WHERE owner IS NOT NULL LIMIT ${OWNERS_OF_A_LOOK}) AS line`;

/** `$1`: the queues; `$2`: how many at most. With `clock_timestamp()` it would read all that waits so: an index takes no volatile value. */
export const DUE = `
  SELECT id FROM outbox WHERE due_at <= statement_timestamp() AND failed_at IS NULL AND queue = ANY ($1)
  ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED`;

interface Waiting extends Line {
  queue: string;
}

/**
 * Hands committed outbox entries to their queues, of a queue with owners those that have a place, and re-drives those whose job the queue no
 * longer knows. Runs in every process that runs workers, and in no other: the places that a process gives are its own workers'. `SKIP LOCKED` keeps
 * processes out of each other's way, and the job id (the entry's) makes a second hand-over harmless.
 */
export class OutboxRelay {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = true;
  /** The queues that are to be looked at. */
  private wanted = new Set<string>();
  private nextPoll = 0;
  /** When the last look ended (`performance.now()`). */
  private lastLook = -Infinity;
  private lastSweep = performance.now();
  /** Marked as dispatched, or perhaps so, but not known to be in the queue. */
  private readonly undelivered = new Set<string>();
  /** The owner from whom on a queue is looked at, where it has too many for one look. */
  private readonly firstOwner = new Map<string, string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly queues: ReadonlyMap<string, RelayedQueue>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.stopped = false;
    this.kick();
  }

  /** Has what waits handed over, of one queue or of all: at once, or `PAUSE_MS` after the last look. Returns before it is done. For after a commit, and when a place is free. */
  kick(queue?: string): void {
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

  /** Gives the place of a job to another. Of a queue whose jobs have no owners there are no places, and nothing is done. */
  release(queue: string, id: string): void {
    const share = this.queues.get(queue)?.share;
    if (!share) return;
    share.release(id);
    this.kick(queue);
  }

  /**
   * Has a job that is no more in the queue wait for its next attempt. Nothing happens where its entry is gone. `dispatched_at` says the same time, since
   * a process of the release before knows no other, and hands over again what was handed over 30 s ago.
   */
  async putBack(id: string, waitMs: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE outbox SET due_at = due.at, dispatched_at = due.at FROM (SELECT clock_timestamp() + $2 * interval '1 ms' AS at) AS due
       WHERE id = $1 AND failed_at IS NULL`,
      [id, waitMs],
    );
    this.nextPoll = Math.min(this.nextPoll, performance.now() + waitMs);
    this.plan();
  }

  /** Sets the timer for the next look: soon when a queue is in `wanted`, else at `nextPoll`. Does nothing while a look runs, since its end calls this again. */
  private plan(): void {
    if (this.stopped || this.running) return;
    clearTimeout(this.timer);
    const soon = this.wanted.size ? this.lastLook + PAUSE_MS : Infinity;
    const wait = Math.min(soon, this.nextPoll) - performance.now();
    if (wait > 0) this.timer = setTimeout(() => this.look(), Math.ceil(wait)).unref();
    else this.look();
  }

  private look(): void {
    this.running = outsideOfSpans(() => this.work()).finally(() => {
      this.running = undefined;
      this.lastLook = performance.now();
      this.plan();
    });
  }

  /**
   * Before the queue lets go of the job: should it lose the job then, the attempt is counted. A process that is killed before that has the attempt
   * made again by another.
   *
   * @param error of the last regular attempt, or of one after it; null before. An entry that has one counts as `late`.
   */
  async countAttempt(id: string, attempts: number, error: string | null): Promise<void> {
    await this.dataSource.query('UPDATE outbox SET attempts = greatest(attempts, $2), error = left($3, 500) WHERE id = $1', [
      id,
      attempts,
      error,
    ]);
  }

  /**
   * Puts back a job that the queue counts as failed, while its entry is to be tried on: the queue takes no second job of an id that it still has. A job that its worker has
   * not let go of yet, or that another process has just removed, is left alone: that process goes on with it, or the next sweep does.
   */
  async retryLate({ id = '', queueName }: Job, attempts: number, error: string): Promise<void> {
    await this.countAttempt(id, attempts, error);
    const removed = await this.queues.get(queueName)?.queue.remove(id);
    if (removed) await this.putBack(id, LATE_RETRY_MS);
  }

  async markFailed(id: string, attempts: number, error: string): Promise<void> {
    await this.dataSource.query(
      'UPDATE outbox SET failed_at = now(), due_at = NULL, attempts = greatest(attempts, $2), error = left($3, 500) WHERE id = $1 AND failed_at IS NULL',
      [id, attempts, error],
    );
  }

  /** A database or queue that is away is logged and tried again at the next poll. */
  private async work(): Promise<void> {
    const isPoll = performance.now() >= this.nextPoll;
    if (isPoll) this.nextPoll = performance.now() + POLL_MS;
    const names = isPoll ? [...this.queues.keys()] : [...this.wanted];
    this.wanted.clear();
    if (isPoll) await this.requeueDue().catch((error: unknown) => this.logger.warn({ err: error }, 'what is due could not be taken up'));
    try {
      await this.takeBackUndelivered();
      while ((await this.dispatch(names)) >= BATCH && !this.stopped);
      if (performance.now() - this.lastSweep > SWEEP_EVERY_MS) {
        this.lastSweep = performance.now();
        await this.sweep();
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'the outbox could not be relayed; trying again');
    }
  }

  /** What waited for its next attempt waits for its turn, and is due since then. */
  private async requeueDue(): Promise<void> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE outbox SET dispatched_at = NULL, created_at = due_at, due_at = NULL WHERE id IN (${DUE})`,
      [[...this.queues.keys()], BATCH],
    );
    if (count === BATCH) this.nextPoll = performance.now(); // the rest after what waits
  }

  /** Marks a batch as dispatched, commits, and only then talks to the queue: a queue that is slow holds no lock. */
  private async dispatch(names: string[]): Promise<number> {
    const chosen = await this.choose(names);
    if (!chosen.length) return 0;
    const entries = await this.markDispatched(chosen);
    for (const { id } of entries) this.undelivered.add(id);
    const taken = new Map(entries.map((entry) => [entry.id, entry]));
    const inOrder = chosen.flatMap((id) => taken.get(id) ?? []);
    const missed = chosen.filter((id) => !taken.has(id));
    this.withdraw(names, missed);
    // Their places are free. Not at once: a row that is locked is missed as long as that takes.
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

  /** A database that is lost meanwhile may have committed: then all of them are taken back when it is there again. */
  private async markDispatched(chosen: string[]): Promise<Entry[]> {
    try {
      const [entries] = await this.dataSource.query<[Entry[], number]>(
        `UPDATE outbox SET dispatched_at = clock_timestamp(), due_at = NULL
         WHERE id IN (SELECT id FROM outbox WHERE id = ANY ($1) AND ${IS_WAITING} FOR UPDATE SKIP LOCKED)
         RETURNING id, queue, name, payload, attempts`,
        [chosen],
      );
      return entries;
    } catch (error) {
      for (const id of chosen) this.undelivered.add(id);
      throw error;
    }
  }

  /** What is to be handed over now; of a queue with owners what has a place. */
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
      if (isLast && !isFirst) this.wanted.add(name); // begins at the first owner again
      this.firstOwner.set(name, isLast ? '' : (lines.at(-1)?.owner ?? ''));
      return this.queues.get(name)?.share?.give(lines, !(isFirst && isLast)) ?? lines.flatMap(({ ids }) => ids);
    });
  }

  /** Other processes run some of what has a place here, and tell nobody when it is over. */
  private async releaseOfOthers(names: string[]): Promise<void> {
    const shares = this.sharesOf(names);
    const held = shares.flatMap(({ ids }) => ids);
    if (!held.length) return;
    const gone = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM unnest($1::text[]) AS held (id) WHERE NOT EXISTS (SELECT FROM outbox o WHERE o.id = held.id AND ${ENTRY_IS_IN_QUEUE})`,
      [held],
    );
    for (const share of shares) for (const { id } of gone) share.release(id);
  }

  private sharesOf(names: string[]): FairShare[] {
    return names.flatMap((name) => this.queues.get(name)?.share ?? []);
  }

  /**
   * BullMQ tries none of these again, unless the database is away when it fails: `Jobs.run` ends each attempt, and the job comes back by `putBack`. From
   * `attempts` the worker knows how many are left. `backoff` is for that case, and for workers of the release before.
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
    for (const share of this.sharesOf(names)) for (const id of ids) share.withdraw(id);
  }

  /** Where the queue is away the database often is too: then the next poll does this, or after the end of this process the sweep. */
  private async takeBackUndelivered(): Promise<void> {
    if (!this.undelivered.size) return;
    await this.dataSource.query(`UPDATE outbox SET dispatched_at = NULL WHERE id = ANY ($1) AND ${ENTRY_IS_IN_QUEUE}`, [
      [...this.undelivered],
    ]);
    this.withdraw([...this.queues.keys()], [...this.undelivered]);
    this.undelivered.clear();
  }

  /** Compares what was handed over some time ago with what the queue knows of it. Meanwhile it may be put back: then it is no more overdue. */
  async sweep(): Promise<void> {
    const overdue = await this.dataSource.query<Pick<Entry, 'id' | 'queue'>[]>(
      `SELECT id, queue FROM outbox WHERE ${IS_OVERDUE} AND queue = ANY ($1) ORDER BY dispatched_at LIMIT $2`,
      [[...this.queues.keys()], BATCH],
    );
    for (const { id, queue: name } of overdue) {
      const relayed = this.queues.get(name);
      const job = await relayed?.queue.getJob(id);
      const state = await job?.getState();
      if (!relayed || !job || state === 'unknown' || state === 'completed') {
        // Lost by the queue, or done without being acknowledged; handlers are safe to run again.
        const [, count] = await this.dataSource.query<[unknown[], number]>(
          `UPDATE outbox SET dispatched_at = NULL WHERE id = $1 AND ${IS_OVERDUE}`,
          [id],
        );
        if (count) this.logger.warn({ job_id: id, queue: name }, 'the queue lost a job; handing it over again');
      } else if (state === 'failed') {
        if (relayed.givesUp) await this.markFailed(id, attemptsOf(relayed, job), job.failedReason);
        else await this.retryLate(job, attemptsOf(relayed, job), job.failedReason); // one that cannot succeed says so again
      } else {
        if (state === 'delayed') relayed.share?.release(id); // BullMQ waits, as `addJobs` says, and needs no place meanwhile
        await this.dataSource.query(`UPDATE outbox SET dispatched_at = now() WHERE id = $1 AND ${IS_OVERDUE}`, [id]);
      }
    }
  }
}
