import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import type { CancellationSignal } from './speed/cancellation.js';
import { AppError, Errors } from './errors.js';

export interface WorkerTasksOptions {
  /** The file that exports the tasks, below `dist`. */
  file: string;
  /** Maximum number of threads. They start when tasks come, and end when there are none. */
  threads?: number;
  /** Milliseconds. A task that takes longer is ended, with its thread. */
  timeoutMs?: number;
  /** Memory of a task in MB. A task that needs more is ended, with its thread. */
  megabytes?: number;
  /** Waiting tasks of one owner. More are refused. */
  waitingPerOwner?: number;
  /** Waiting tasks of all owners. Above it, the owner with the most waiting tasks loses one. */
  waiting?: number;
}

export interface RunOptions {
  /**
   * True for work that comes from its own queue. It does not count as waiting, and is never
   * dropped.
   */
  isUnbounded?: boolean;
  /** Drops the task if it is aborted before the task starts. */
  signal?: CancellationSignal | undefined;
}

interface Waiting {
  isUnbounded: boolean;
  start: () => void;
  drop: (error: unknown) => void;
}

/** The owner that has used the least thread time is next. */
interface Owner {
  queue: Waiting[];
  /** Milliseconds of thread time, on the scale of `clock`. */
  used: number;
}

/** The task was ended because it exceeded its limit of time or memory; `reason` says which. */
export class TaskEnded extends Error {
  override name = 'TaskEnded';

  constructor(readonly reason: 'time' | 'memory') {
    super(`The task exceeded its ${reason} limit and was ended.`);
  }
}

const IDLE_MS = 30_000;
/**
 * Niceness, 19 at most: threads get the processor time that the event loop of the service leaves.
 */
const NICENESS = 10;
const YOUNG_MEGABYTES = 32;
/** A task that exceeded its time costs its owner this multiple of the time. */
const PENALTY = 4;
/** Maximum number of milliseconds by which an owner can be behind others. */
const MOST_DEBT_MS = 60_000;
const MOST_REMEMBERED = 1000;

/**
 * Runs tasks that would block the event loop in threads. The owner that has used the least thread
 * time is next.
 */
export class WorkerTasks {
  private readonly options: Required<WorkerTasksOptions>;
  private readonly owners = new Map<string, Owner>();
  /** Used time of the owner of the latest task. A new owner begins with this value, not with 0. */
  private clock = 0;
  /** Number of waiting tasks, without unbounded ones. */
  private waiting = 0;
  private running = 0;
  private pool: Promise<Piscina> | null = null;

  constructor(options: WorkerTasksOptions) {
    this.options = { threads: 1, timeoutMs: 15_000, megabytes: 192, waitingPerOwner: 60, waiting: 500, ...options };
  }

  /**
   * Waits for a thread, runs the export `name` of the file with a copy of `task`, and returns its
   * result.
   *
   * @throws TaskEnded if the task exceeds its time or memory; AppError 429 `too_much_waiting` if
   * too many tasks of the owner wait, or the task is dropped for an owner with fewer; 503
   * `unavailable` if too many tasks of all owners wait; the reason of the signal if it is aborted
   * before the task starts; the error of the task.
   */
  async runTask<Result>(owner: string, name: string, task: unknown, options: RunOptions = {}): Promise<Result> {
    await this.turn(owner, options);
    const began = performance.now();
    let cost = 1;
    try {
      const pool = await (this.pool ??= this.open());
      return (await pool.run(task, { name, signal: AbortSignal.timeout(this.options.timeoutMs) })) as Result;
    } catch (error) {
      const end = endOf(error);
      if (end) cost = PENALTY;
      throw end ?? error;
    } finally {
      this.charge(owner, (performance.now() - began) * cost);
      this.running--;
      this.next();
    }
  }

  async stop(): Promise<void> {
    await (await this.pool)?.destroy();
    this.pool = null;
  }

  private async turn(name: string, { isUnbounded = false, signal }: RunOptions): Promise<void> {
    signal?.throwIfAborted();
    const owner = this.ownerOf(name);
    if (this.running < this.options.threads && ![...this.owners.values()].some(({ queue }) => queue.length)) {
      this.begin(owner);
      return;
    }
    if (!isUnbounded) {
      if (bounded(owner).length >= this.options.waitingPerOwner) throw tooMuch();
      if (this.waiting >= this.options.waiting) this.makeRoom(owner);
      this.waiting++;
    }
    let onGone: () => void = () => undefined;
    await new Promise<void>((start, drop) => {
      const own: Waiting = { isUnbounded, start, drop };
      owner.queue.push(own);
      onGone = () => this.remove(owner, own, signal?.reason);
      signal?.addEventListener('abort', onGone, { once: true });
    }).finally(() => signal?.removeEventListener('abort', onGone));
  }

  private ownerOf(name: string): Owner {
    const owner = this.owners.get(name) ?? { queue: [], used: this.clock };
    // An owner without tasks does not save up thread time.
    if (owner.queue.length === 0) owner.used = Math.max(owner.used, this.clock);
    this.owners.set(name, owner);
    return owner;
  }

  private charge(name: string, ms: number): void {
    const owner = this.owners.get(name);
    if (owner) owner.used = Math.min(owner.used + ms, this.clock + MOST_DEBT_MS);
  }

  /**
   * Drops the newest waiting task of the owner with the most of them, with 429 `too_much_waiting`.
   * If several owners have the most, the owner with the most thread time loses its task.
   *
   * @throws AppError 503 `unavailable` if that owner is the newcomer, or the newcomer would have
   * more waiting tasks with its new one; then nothing is dropped.
   */
  private makeRoom(newcomer: Owner): void {
    const mine = bounded(newcomer).length + 1;
    let worst: Owner | null = null;
    for (const owner of this.owners.values()) {
      const [more, most] = [bounded(owner).length, worst ? bounded(worst).length : 1];
      if (more > most || (more === most && owner.used > (worst ?? newcomer).used)) worst = owner;
    }
    const last = worst && worst !== newcomer && bounded(worst).length >= mine ? bounded(worst).at(-1) : undefined;
    if (!worst || !last) throw Errors.unavailable();
    this.remove(worst, last, tooMuch());
  }

  private remove(owner: Owner, waiting: Waiting, error: unknown): void {
    const at = owner.queue.indexOf(waiting);
    if (at < 0) return;
    owner.queue.splice(at, 1);
    if (!waiting.isUnbounded) this.waiting--;
    waiting.drop(error);
  }

  private begin(owner: Owner): void {
    this.running++;
    this.clock = Math.max(this.clock, owner.used);
    if (this.owners.size <= MOST_REMEMBERED) return;
    for (const [name, { queue, used }] of this.owners)
      if (queue.length === 0 && used < this.clock) this.owners.delete(name);
  }

  private next(): void {
    let first: Owner | null = null;
    for (const owner of this.owners.values())
      if (owner.queue.length && (!first || owner.used < first.used)) first = owner;
    const task = first?.queue.shift();
    if (!first || !task) return;
    if (!task.isUnbounded) this.waiting--;
    this.begin(first);
    task.start();
  }

  private async open(): Promise<Piscina> {
    // The module exports the class itself; its types do not declare this.
    const Threads = (await import('piscina')).default as unknown as typeof Piscina;
    const { file, threads, megabytes } = this.options;
    return new Threads({
      filename: builtFile(file),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      niceIncrement: NICENESS,
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: YOUNG_MEGABYTES, stackSizeMb: 4 },
      env: {},
    });
  }
}

const bounded = ({ queue }: Owner) => queue.filter(({ isUnbounded }) => !isUnbounded);

const tooMuch = () =>
  new AppError(429, 'too_much_waiting', 'Too many of your checks are queued. Try again in 5 seconds.', {
    headers: { 'Retry-After': '5' },
  });

function endOf(error: unknown): TaskEnded | null {
  const { name, code } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') return new TaskEnded('time');
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? new TaskEnded('memory') : null;
}

/**
 * Finds the path of a built file, beside this program or below `dist` of a folder above it. A
 * process that runs from the sources uses the latest build.
 *
 * @throws Error if the file was not built.
 */
function builtFile(file: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    for (const candidate of [join(folder, file), join(folder, 'dist', file)])
      if (existsSync(candidate)) return candidate;
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`dist/${file} does not exist. Run npm run build.`);
    folder = parent;
  }
}
