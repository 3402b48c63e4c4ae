import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const LONGEST_FINISH_MS = 2_000;
/**
 * npm forwards a Ctrl-C that the terminal also sends to this process. Two signals within this time
 * count as one.
 */
const SAME_WISH_MS = 1_000;

/**
 * Handles Ctrl-C and other end signals: the command ends at once, except for protected work that
 * would lose the session if it stopped halfway.
 */
export class Interruption {
  private readonly controller = new AbortController();
  private readonly protectedWork = new Set<Promise<unknown>>();

  /** Aborts at the first signal. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * Lets work finish before a signal ends the process, for at most two seconds. Returns the same
   * promise.
   */
  protect<T>(work: Promise<T>): Promise<T> {
    const settled = work.catch(() => undefined).finally(() => this.protectedWork.delete(settled));
    this.protectedWork.add(settled);
    return work;
  }

  /**
   * Resolves with the exit code after a signal, once protected work is done or two seconds have
   * passed. A second signal, more than a second later, ends the process at once.
   */
  async requested(): Promise<number> {
    const exitCode = await new Promise<number>((resolve) => {
      let first = 0;
      for (const signal of SIGNALS) {
        const code = 128 + constants.signals[signal];
        process.on(signal, () => {
          if (first && Date.now() - first > SAME_WISH_MS) process.exit(code);
          first ||= Date.now();
          this.controller.abort();
          resolve(code);
        });
      }
    });
    await Promise.race([Promise.all(this.protectedWork), delay(LONGEST_FINISH_MS)]);
    return exitCode;
  }
}
