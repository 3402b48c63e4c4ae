import { speedTrick } from './speed-trick.js';

/** The part of AbortSignal that work needs to end early. Every AbortSignal has it. */
export interface CancellationSignal {
  readonly aborted: boolean;
  /** An AbortError, unless `abort` got another reason. */
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Replaces: Node.js 20 sets the prototype of each AbortSignal after creating it. V8 then shares
 * nothing between signals, so that each costs about 10 µs. A `Cancellation` is plain JavaScript.
 * undici accepts it as a signal; `abortSignalOf` makes an AbortSignal for functions that need one.
 * Gains: see docs/performance.md; `npm run bench -- --only tricks`.
 * Off: SPEED_TRICKS_OFF=cancellation.
 */
export const plainCancellation = speedTrick('cancellation', 'undici', '7.30.2');

class PlainCancellation implements CancellationSignal {
  aborted = false;
  reason: unknown;
  private readonly listeners = new Set<() => void>();

  /** Aborts the signal and calls its listeners. A second call does nothing. */
  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const { listeners } = this;
    for (const listener of listeners) {
      listeners.delete(listener);
      listener();
    }
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /**
   * Each listener is called at most once, and never if the signal is already aborted, as with
   * AbortSignal.
   */
  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.aborted) this.listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.delete(listener);
  }
}

class NodeCancellation implements CancellationSignal {
  private readonly controller = new AbortController();

  get aborted(): boolean {
    return this.controller.signal.aborted;
  }
  get reason(): unknown {
    return this.controller.signal.reason as unknown;
  }
  abort(reason?: unknown): void {
    this.controller.abort(reason);
  }
  throwIfAborted(): void {
    this.controller.signal.throwIfAborted();
  }
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void {
    this.controller.signal.addEventListener(type, listener, options);
  }
  removeEventListener(type: 'abort', listener: () => void): void {
    this.controller.signal.removeEventListener(type, listener);
  }
}

/** AbortController and its signal in one object. Every request creates one. */
export const Cancellation: new () => CancellationSignal & { abort(reason?: unknown): void } = plainCancellation.isOn
  ? PlainCancellation
  : NodeCancellation;

/** An AbortSignal that is aborted together with `signal`. */
export function abortSignalOf(signal: CancellationSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  return controller.signal;
}

export interface TimeLimit {
  ms: number;
  /** Makes the error for the end of the time. */
  timeout: () => Error;
  /** Ends the work earlier. */
  signal?: CancellationSignal | undefined;
  /** Makes the error for an aborted `signal`. Default: its reason. */
  cancelled?: () => Error;
}

/**
 * Runs `work` with a time limit, and returns its result. At the end of the time, or if `signal` is
 * aborted, it throws at once, and aborts the signal of `work` with the same error. A later result
 * or error of `work` is ignored. If `signal` is aborted already, `work` does not run.
 *
 * @throws the error of `timeout` at the end of the time; the error of `cancelled`, by default the
 * reason of `signal`, if `signal` is aborted; the error of `work`.
 */
export async function withinTime<T>(
  { ms, timeout, signal, cancelled = () => signal?.reason as Error }: TimeLimit,
  work: (signal: CancellationSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw cancelled();
  return new Promise<T>((resolve, reject) => {
    const limit = new Cancellation();
    const giveUp = (error: Error): void => {
      settle();
      reject(error);
      limit.abort(error);
    };
    const timer = setTimeout(() => giveUp(timeout()), ms);
    const onAbort = (): void => giveUp(cancelled());
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    attempt(() => work(limit))
      .then(resolve, reject)
      .finally(settle);
  });
}

/** Turns a synchronous throw of `work` into a rejection. */
const attempt = async <T>(work: () => Promise<T>): Promise<T> => work();
