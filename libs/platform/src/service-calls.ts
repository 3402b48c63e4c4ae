import { ApiError, ConnectionError } from '@platform/client';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  type IBackoff,
  retry,
  TaskCancelledError,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel';
import { Gauge, Histogram, type Registry as Metrics } from 'prom-client';
import { ServiceUnavailable, type CalledService } from './service-unavailable.js';
import { withinTime, type CancellationSignal } from './speed/cancellation.js';
import { traced } from './tracing/spans.js';

/** One try, from the connection to the end of the answer. */
const TRY_TIMEOUT_MS = 2_000;
/** A call with all its tries and the pauses between them. */
const CALL_TIMEOUT_MS = 5_000;
const RETRIES = 2;
const FAILURES_UNTIL_OPEN = 5;
const PROBE_AFTER_MS = 5_000;
/** While calls are refused. */
const LOOK_EVERY_MS = 100;
const LOOK_TIMEOUT_MS = 1_000;

type Work<T, Signal = CancellationSignal> = (signal: Signal) => Promise<T>;

export interface ServiceCallsOptions {
  /** Also before the names of the metrics: `registry` makes `registry_call_duration_seconds` and `registry_circuit_open`. */
  service: CalledService;
  metrics: Metrics;
  /** How long calls are refused after five failures in a row, 5 s unless told; less where the service was away and is back before. */
  probeAfterMs?: number | undefined;
  /** Resolves when the service answers that it is ready. Asked again and again while calls are refused. */
  isReady: Work<unknown, AbortSignal>;
  /** Of another library's errors: whether one says something about the service, and not about the request. Those of `@platform/client` unless told. */
  isOutage?: (error: unknown) => boolean;
}

interface OnceOptions {
  /** 2 s unless told. */
  timeoutMs?: number;
  /** Ends the call, which then throws its reason. */
  signal?: CancellationSignal | undefined;
}

/**
 * How another of our services is called: with time limits, retried where that is safe, and not at all for a while after five failures in a
 * row; then one call at a time shows whether it is back. When the service could not be reached meanwhile, as while it starts, that is as soon
 * as it is ready; one that answers, but wrongly or too late, has the whole while to recover.
 */
export class ServiceCalls {
  private readonly breaker;
  private readonly repeated;
  private readonly durations: Histogram<'operation' | 'outcome'>;
  private readonly isOutage: (error: unknown) => boolean;
  private watch: ReturnWatch | null = null;

  constructor(private readonly options: ServiceCallsOptions) {
    const { service, metrics, probeAfterMs = PROBE_AFTER_MS, isOutage: isOutageOfLibrary = isOutageOfClient } = options;
    const isOutage = (error: unknown): boolean => error instanceof TaskCancelledError || isOutageOfLibrary(error);
    this.isOutage = isOutage;
    this.breaker = circuitBreaker(handleWhen(isOutage), {
      halfOpenAfter: { next: () => this.refusal(probeAfterMs) },
      breaker: new ConsecutiveBreaker(FAILURES_UNTIL_OPEN),
    });
    this.breaker.onHalfOpen(() => this.watch?.end());
    const retries = retry(handleWhen(isOutage), {
      maxAttempts: RETRIES,
      backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 1_000 }),
    });
    this.repeated = wrap(limit(CALL_TIMEOUT_MS), retries, this.breaker, limit(TRY_TIMEOUT_MS));
    this.durations = new Histogram({
      name: `${service}_call_duration_seconds`,
      help: 'Time of a call of the service with all its tries; `unavailable` counts those that the open circuit refused too',
      labelNames: ['operation', 'outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [metrics],
    });
    new Gauge({
      name: `${service}_circuit_open`,
      help: '1 while calls of the service are refused without being made, 0.5 while one shows whether it is back',
      registers: [metrics],
      collect: this.collectState(),
    });
  }

  /** Looks no more for a service that is away. */
  close(): void {
    this.watch?.end();
  }

  /** How long calls are refused from now on, as the circuit asks at each of them. */
  private refusal(probeAfterMs: number): IBackoff<unknown> {
    this.watch?.end();
    const watch = (this.watch = new ReturnWatch(this.options.isReady));
    return {
      get duration() {
        return watch.isBack ? 0 : probeAfterMs;
      },
      next: () => this.refusal(probeAfterMs),
    };
  }

  /** For what must not be done twice, or takes its time. @throws ServiceUnavailable for an outage, or whatever else `work` throws. */
  once<T>(operation: string, work: Work<T>, { timeoutMs = TRY_TIMEOUT_MS, signal }: OnceOptions = {}): Promise<T> {
    const limited = { ms: timeoutMs, timeout: () => new TaskCancelledError(`It took more than ${timeoutMs} ms.`), signal };
    return this.measured(operation, () => this.breaker.execute(() => withinTime(limited, work)));
  }

  /**
   * For before what would leave something behind if the service were away: fails as long as calls are refused after failures. Then a `probe`,
   * which answers at once, shows whether the service is back.
   *
   * @throws as `once`.
   */
  async assertReachable(probe: Work<unknown>): Promise<void> {
    if (this.breaker.state !== CircuitState.Closed) await this.once('probe', probe);
  }

  /**
   * As `once`, for what takes its time. All other calls are refused for as long as one shows whether the service is back, so that is not this
   * one but a `probe`.
   */
  async long<T>(operation: string, work: Work<T>, { probe, ...options }: OnceOptions & { probe: Work<unknown> }): Promise<T> {
    await this.assertReachable(probe);
    return this.once(operation, work, options);
  }

  /** For reads, and for changes that may be made twice. @throws as `once`. */
  repeatable<T>(operation: string, work: Work<T, AbortSignal>): Promise<T> {
    return this.measured(operation, () => this.repeated.execute(({ signal }) => work(signal)));
  }

  private async measured<T>(operation: string, run: () => Promise<T>): Promise<T> {
    const end = this.durations.startTimer({ operation });
    try {
      const result = await traced(`${this.options.service} ${operation}`, 'client', {}, run);
      end({ outcome: 'success' });
      return result;
    } catch (error) {
      const isUnavailable = this.isOutage(error) || error instanceof BrokenCircuitError;
      end({ outcome: isUnavailable ? 'unavailable' : 'refused' });
      throw isUnavailable ? new ServiceUnavailable(this.options.service, error) : error;
    }
  }

  private collectState() {
    const { breaker } = this;
    return function (this: Gauge): void {
      this.set(breaker.state === CircuitState.Closed ? 0 : breaker.state === CircuitState.HalfOpen ? 0.5 : 1);
    };
  }
}

/** Whether this says something about the service, and not about the request: only that counts for the circuit, and is tried again. */
const isOutageOfClient = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500);

const limit = (ms: number) => timeout(ms, TimeoutStrategy.Aggressive);

/** Looks at a service until it is ready again after it was not. */
class ReturnWatch {
  isBack = false;
  private wasAway = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly ended = new AbortController();

  constructor(private readonly isReady: ServiceCallsOptions['isReady']) {
    void this.look();
  }

  end(): void {
    this.ended.abort();
    clearTimeout(this.timer);
  }

  private async look(): Promise<void> {
    const isReady = await this.isReady(AbortSignal.any([this.ended.signal, AbortSignal.timeout(LOOK_TIMEOUT_MS)])).then(
      () => true,
      () => false,
    );
    if (this.ended.signal.aborted) return;
    this.isBack = isReady && this.wasAway;
    this.wasAway ||= !isReady;
    if (!this.isBack) this.timer = setTimeout(() => void this.look(), LOOK_EVERY_MS).unref();
  }
}
