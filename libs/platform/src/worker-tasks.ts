import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
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
  /** Of all owners. */
  waiting?: number;
}

interface Waiting {
  start: () => void;
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

/** Work that would hold the event loop, in threads that the owners of the work take in turns. */
export class WorkerTasks {
  private readonly options: Required<WorkerTasksOptions>;
  /** Of the owners in the order of their turns. */
  private readonly queues = new Map<string, Waiting[]>();
  private waiting = 0;
  private running = 0;
  private pool: Promise<Piscina> | null = null;

  constructor(options: WorkerTasksOptions) {
    this.options = { threads: 1, timeoutMs: 15_000, megabytes: 192, waitingPerOwner: 60, waiting: 500, ...options };
  }

  /**
   * Runs the export `name` of the file with `task`, which is copied.
   *
   * @param mostWaiting of this owner; for work that comes from a queue of its own, as many as there are.
   * @throws TaskEnded; AppError 429 when the owner has too much waiting, 503 when all together have; what the task throws.
   */
  async run<Result>(owner: string, name: string, task: unknown, mostWaiting = this.options.waitingPerOwner): Promise<Result> {
    await this.turn(owner, mostWaiting);
    try {
      const pool = await (this.pool ??= this.open());
      return (await pool.run(task, { name, signal: AbortSignal.timeout(this.options.timeoutMs) })) as Result;
    } catch (error) {
      throw endOf(error) ?? error;
    } finally {
      this.running--;
      this.next();
    }
  }

  async stop(): Promise<void> {
    await (await this.pool)?.destroy();
    this.pool = null;
  }

  private async turn(owner: string, mostWaiting: number): Promise<void> {
    if (this.running < this.options.threads && !this.waiting) {
      this.running++;
      return;
    }
    const own = this.queues.get(owner) ?? [];
    if (own.length >= mostWaiting) throw tooMuch();
    if (this.waiting >= this.options.waiting) throw Errors.unavailable();
    this.waiting++;
    await new Promise<void>((start) => {
      own.push({ start });
      this.queues.set(owner, own);
    });
  }

  private next(): void {
    for (const [owner, queue] of this.queues) {
      if (this.running >= this.options.threads) return;
      const first = queue.shift();
      // Whoever had its turn goes to the end.
      this.queues.delete(owner);
      if (queue.length) this.queues.set(owner, queue);
      if (!first) continue;
      this.waiting--;
      this.running++;
      first.start();
      return;
    }
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
