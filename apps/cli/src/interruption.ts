import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const LONGEST_FINISH_MS = 2_000;
/** npm passes on a Ctrl-C that the terminal sends to us as well. Both together are one wish. */
const SAME_WISH_MS = 1_000;

/** Ctrl-C and its kin: ends a command at once, but lets it finish what would cost the session when half done. */
export class Interruption {
  private readonly controller = new AbortController();
  private readonly protectedWork = new Set<Promise<unknown>>();

  /** Aborts at the first signal. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Work that is given two seconds to finish. */
  protect<T>(work: Promise<T>): Promise<T> {
    const settled = work.catch(() => undefined).finally(() => this.protectedWork.delete(settled));
    this.protectedWork.add(settled);
    return work;
  }

  /** Resolves with the exit code once a signal came and nothing protected is left. A second signal ends the process. */
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
