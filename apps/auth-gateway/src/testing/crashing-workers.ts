import { AsyncLocalStorage } from 'node:async_hooks';

type Method = (...args: unknown[]) => Promise<unknown>;

/** Work that stops for ever at a boundary between two of its steps, as if its process had been killed there. */
export class Worker {
  private readonly crashed: Promise<'crashed'>;
  private crash: () => void = () => undefined;
  private wake: (() => void) | undefined;
  private work: Promise<unknown> = Promise.resolve();

  /** @param steps how many boundaries it passes; infinitely many: it never crashes. */
  constructor(private steps: number) {
    this.crashed = new Promise((resolve) => (this.crash = () => resolve('crashed')));
  }

  run(work: () => Promise<unknown>): Promise<unknown> {
    this.work = running.run(this, work);
    this.work.catch(() => undefined);
    return Promise.race([this.work, this.crashed]);
  }

  /** It was not killed, but only very slow: it goes on where it stopped. Resolves when it is done, whatever became of it. */
  async resume(): Promise<void> {
    this.steps = Infinity;
    this.wake?.();
    await this.work.catch(() => undefined);
  }

  /** At the next boundary. */
  stop(): void {
    this.steps = 0;
  }

  async pass(): Promise<void> {
    if (this.steps-- > 0) return;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      this.crash();
    });
  }
}

const running = new AsyncLocalStorage<Worker>();

/** Makes a boundary before and after each of these methods, for whatever a worker does; `look` is called after each. Undone by Jest. */
export function stepsAt<T extends object>(target: T, names: (keyof T & string)[], look?: () => Promise<void>): void {
  for (const name of names) {
    const original = (target[name] as Method).bind(target);
    jest.spyOn(target as Record<string, Method>, name).mockImplementation(async (...args: unknown[]) => {
      const worker = running.getStore();
      if (!worker) return original(...args);
      await worker.pass();
      const result = await original(...args);
      if (look) await running.exit(look);
      await worker.pass();
      return result;
    });
  }
}
