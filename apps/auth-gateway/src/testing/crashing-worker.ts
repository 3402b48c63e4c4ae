import { AsyncLocalStorage } from 'node:async_hooks';

type Method = (...args: unknown[]) => Promise<unknown>;

/**
 * Work that stops for ever at a boundary between two steps, like a process that was killed there.
 */
export class CrashingWorker {
  private readonly crashed: Promise<'crashed'>;
  private crash: () => void = () => undefined;
  private wake: (() => void) | undefined;
  private work: Promise<unknown> = Promise.resolve();

  /**
   * @param steps number of boundaries that it passes before it stops; `Infinity`: it never stops.
   */
  constructor(private steps: number) {
    this.crashed = new Promise((resolve) => (this.crash = () => resolve('crashed')));
  }

  runUntilCrash(work: () => Promise<unknown>): Promise<unknown> {
    this.work = running.run(this, work);
    this.work.catch(() => undefined);
    return Promise.race([this.work, this.crashed]);
  }

  /**
   * Continues after the boundary, like a process that was only slow. Resolves when the work ends or
   * fails.
   */
  async resume(): Promise<void> {
    this.steps = Infinity;
    this.wake?.();
    await this.work.catch(() => undefined);
  }

  /** Stops at the next boundary. */
  stop(): void {
    this.steps = 0;
  }

  async passBoundary(): Promise<void> {
    if (this.steps-- > 0) return;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      this.crash();
    });
  }
}

const running = new AsyncLocalStorage<CrashingWorker>();

/**
 * Makes a boundary before and after each call of these methods by a worker; calls `look` after each
 * call. Jest's `restoreAllMocks` undoes it.
 */
export function addCrashPoints<T extends object>(
  target: T,
  names: (keyof T & string)[],
  look?: () => Promise<void>,
): void {
  for (const name of names) {
    const original = (target[name] as Method).bind(target);
    jest.spyOn(target as Record<string, Method>, name).mockImplementation(async (...args: unknown[]) => {
      const worker = running.getStore();
      if (!worker) return original(...args);
      await worker.passBoundary();
      const result = await original(...args);
      if (look) await running.exit(look);
      await worker.passBoundary();
      return result;
    });
  }
}
