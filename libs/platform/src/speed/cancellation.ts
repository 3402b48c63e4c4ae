import { speedTrick } from './speed-trick.js';

/** What work needs of an AbortSignal to end early. Every AbortSignal is one. */
export interface CancellationSignal {
  readonly aborted: boolean;
  /** An AbortError unless `abort` was told something else. */
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Replaces: Node.js 20 sets the prototype of each AbortSignal when it is made already, and V8 then shares nothing between them, so that one
 * costs about 10 µs. A `Cancellation` is made of plain JavaScript. undici takes it for a signal; what insists on an AbortSignal gets one
 * from `abortSignalOf`.
 * Gains: see docs/performance.md; `npm run bench -- --only tricks`.
 * Off: SPEED_TRICKS_OFF=cancellation.
 */
export const plainCancellation = speedTrick('cancellation', 'undici', '7.30.2');

class PlainCancellation implements CancellationSignal {
  aborted = false;
  reason: unknown;
  private readonly listeners = new Set<() => void>();

  /** A second time does nothing. */
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

  /** A listener is called at most once, and never when the signal is aborted already, as with AbortSignal. */
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

/** An AbortController and its signal in one, for what every request makes. */
export const Cancellation: new () => CancellationSignal & { abort(reason?: unknown): void } = plainCancellation.isOn
  ? PlainCancellation
  : NodeCancellation;

/** An AbortSignal that is aborted with `signal`. */
export function abortSignalOf(signal: CancellationSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  return controller.signal;
}

export interface TimeLimit {
  ms: number;
  /** What is thrown when the time is over. */
  timeout: () => Error;
  /** Ends the work before that. */
  signal?: CancellationSignal | undefined;
  /** What is thrown then; the reason of `signal` unless told. */
  cancelled?: () => Error;
}

/**
 * What `work` gives if it does in time. If not, the signal that it got is aborted with what is thrown, and whatever comes of it later is
 * nobody's business.
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

/** What `work` throws at once is a rejection, too. */
const attempt = async <T>(work: () => Promise<T>): Promise<T> => work();
