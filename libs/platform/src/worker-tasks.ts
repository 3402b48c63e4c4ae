import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import type { CancellationSignal } from './speed/cancellation.js';
import { AppError, Errors } from './errors.js';

export interface WorkerTasksOptions {
  /** Below `dist`: the file whose exports are the tasks. */
  file: string;
  /** How many threads there are at most; they come with the tasks and go when there are none. */
  threads?: number;
  /** A task that takes longer is ended, with its thread. */
  timeoutMs?: number;
  /** What a task may have in memory; one that needs more is ended, with its thread. */
  megabytes?: number;
  /** How many tasks of one owner may wait. */
  waitingPerOwner?: number;
  /** Of all owners; when there are more, the owner who has most waiting loses one. */
  waiting?: number;
}

export interface RunOptions {
  /** For work that comes from a queue of its own: it waits outside of what may wait, and is never dropped. */
  isUnbounded?: boolean;
  /** A task whose caller is gone before its turn is dropped. */
  signal?: CancellationSignal | undefined;
}

interface Waiting {
  isUnbounded: boolean;
  start: () => void;
  drop: (error: unknown) => void;
}

/** Who has the least of the threads' time is next. */
interface Owner {
  queue: Waiting[];
  /** Milliseconds of threads, counted from when all had the same. */
  used: number;
}

/** A task was ended for what it took. */
export class TaskEnded extends Error {
  override name = 'TaskEnded';

  constructor(readonly reason: 'time' | 'memory') {
    super(`A task was ended for the ${reason} that it took.`);
  }
}

const IDLE_MS = 30_000;
/** Of 19: threads get what the event loop of their service leaves. */
const NICENESS = 10;
const YOUNG_MEGABYTES = 32;
/** What a task costs its owner that was ended for its time, as a multiple of that. */
const PENALTY = 4;
/** As much later than others an owner may be at most. */
const MOST_DEBT_MS = 60_000;
const MOST_REMEMBERED = 1000;

/** Work that would hold the event loop, in threads. Of the owners of the work, who has used least of them is next. */
export class WorkerTasks {
  private readonly options: Required<WorkerTasksOptions>;
  private readonly owners = new Map<string, Owner>();
  /** What the owner had used whose task began last: who comes now has used as much. */
  private clock = 0;
  /** Without what is unbounded. */
  private waiting = 0;
  private running = 0;
  private pool: Promise<Piscina> | null = null;

  constructor(options: WorkerTasksOptions) {
    this.options = { threads: 1, timeoutMs: 15_000, megabytes: 192, waitingPerOwner: 60, waiting: 500, ...options };
  }

  /**
   * Runs the export `name` of the file with `task`, which is copied.
   *
   * @throws TaskEnded; AppError 429 when the owner has too much waiting, 503 when all together have; the reason of the signal; what the
   * task throws.
   */
  async run<Result>(owner: string, name: string, task: unknown, options: RunOptions = {}): Promise<Result> {
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
    // Nobody saves up by not coming.
    if (owner.queue.length === 0) owner.used = Math.max(owner.used, this.clock);
    this.owners.set(name, owner);
    return owner;
  }

  private charge(name: string, ms: number): void {
    const owner = this.owners.get(name);
    if (owner) owner.used = Math.min(owner.used + ms, this.clock + MOST_DEBT_MS);
  }

  /** The newest task of who has most waiting goes; of several, of who used most. @throws AppError 503 when that is the one who comes. */
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
    for (const [name, { queue, used }] of this.owners) if (queue.length === 0 && used < this.clock) this.owners.delete(name);
  }

  private next(): void {
    let first: Owner | null = null;
    for (const owner of this.owners.values()) if (owner.queue.length && (!first || owner.used < first.used)) first = owner;
    const task = first?.queue.shift();
    if (!first || !task) return;
    if (!task.isUnbounded) this.waiting--;
    this.begin(first);
    task.start();
  }

  private async open(): Promise<Piscina> {
    // What it exports is the class itself, which its types do not say.
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
  new AppError(429, 'too_much_waiting', 'Too much of yours waits to be checked already. Try again in a moment.', {
    headers: { 'Retry-After': '5' },
  });

function endOf(error: unknown): TaskEnded | null {
  const { name, code } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') return new TaskEnded('time');
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? new TaskEnded('memory') : null;
}

/** `npm run build` makes it; what runs from the sources takes what was built last. */
function builtFile(file: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    for (const candidate of [join(folder, file), join(folder, 'dist', file)]) if (existsSync(candidate)) return candidate;
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`dist/${file} is not there: npm run build`);
    folder = parent;
  }
}
