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

/** Limit of one attempt, from the connection to the end of the response. */
const TRY_TIMEOUT_MS = 2_000;
/** Limit of a call with all its attempts and the pauses between them. */
const CALL_TIMEOUT_MS = 5_000;
const RETRIES = 2;
const FAILURES_UNTIL_OPEN = 5;
const PROBE_AFTER_MS = 5_000;
/** Interval of the checks with `isReady` while calls are refused. */
const LOOK_EVERY_MS = 100;
const LOOK_TIMEOUT_MS = 1_000;

type Work<T, Signal = CancellationSignal> = (signal: Signal) => Promise<T>;

export interface ServiceCallsOptions {
  /**
   * Also the prefix of the metrics: `registry` makes `registry_call_duration_seconds` and
   * `registry_circuit_open`.
   */
  service: CalledService;
  metrics: Metrics;
  /**
   * Milliseconds for which calls are refused after five failures in a row. Default: 5,000. The time
   * ends earlier if the service was unreachable and is ready again.
   */
  probeAfterMs?: number | undefined;
  /** Resolves if the service is ready. Called repeatedly while calls are refused. */
  isReady: Work<unknown, AbortSignal>;
  /**
   * True if an error is about the service and not about the request. The default knows the errors
   * of `@platform/client`; set it for errors of another library.
   */
  isOutage?: (error: unknown) => boolean;
}

interface OnceOptions {
  /** Milliseconds. Default: 2,000. */
  timeoutMs?: number;
  /** Ends the call, which then throws the reason of the signal. */
  signal?: CancellationSignal | undefined;
}

/**
 * Calls another service of the platform, with time limits and a circuit breaker. Calls are retried
 * where that is safe. After five failures in a row all calls are refused for `probeAfterMs`; then a
 * single call tests whether the service works again. A service that was unreachable in the
 * meantime, for example during its start, is tested as soon as it is ready. A service that answers
 * wrongly or too late gets the whole time to recover.
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
      help: 'Duration of a call of the service with all its attempts; `unavailable` also counts calls that the open circuit refused',
      labelNames: ['operation', 'outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [metrics],
    });
    new Gauge({
      name: `${service}_circuit_open`,
      help: '1 while calls of the service are refused, 0.5 while one call tests whether it works again, else 0',
      registers: [metrics],
      collect: this.collectState(),
    });
  }

  /** Stops the checks of a service that is unavailable. */
  close(): void {
    this.watch?.end();
  }

  /**
   * Begins a pause in which calls are refused. The circuit breaker reads its `duration` at each
   * call: `probeAfterMs`, or 0 as soon as the service is ready again after it was unreachable.
   */
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

  /**
   * Runs `work` once, and returns its result: for changes that must not run twice, and for slow
   * calls.
   *
   * @throws ServiceUnavailable if the service is unreachable, answers 5xx, needs more than
   * `timeoutMs`, or all calls are refused after five failures in a row; the reason of `signal` if
   * it is aborted; any other error of `work`.
   */
  callOnce<T>(operation: string, work: Work<T>, { timeoutMs = TRY_TIMEOUT_MS, signal }: OnceOptions = {}): Promise<T> {
    const limited = {
      ms: timeoutMs,
      timeout: () => new TaskCancelledError(`It took more than ${timeoutMs} ms.`),
      signal,
    };
    return this.measured(operation, () => this.breaker.execute(() => withinTime(limited, work)));
  }

  /**
   * Checks that calls are not refused; call it before an action that would leave data behind if the
   * service were unavailable. Before five failures in a row it does nothing. After them it throws,
   * until `probeAfterMs` has passed, or until an unreachable service is ready again. Then it runs
   * `probe`, a quick call that tests whether the service works again.
   *
   * @throws ServiceUnavailable while calls are refused, or if `probe` finds the service unavailable
   * or takes more than two seconds; any other error of `probe`.
   */
  async assertReachable(probe: Work<unknown>): Promise<void> {
    if (this.breaker.state !== CircuitState.Closed) await this.callOnce('probe', probe);
  }

  /**
   * Runs slow `work` once, like `callOnce`. While a call tests whether the service works again, all
   * others are refused. So a quick `probe` makes the test, and not this slow call.
   *
   * @throws ServiceUnavailable if the service is unreachable, answers 5xx to `probe` or `work`,
   * needs more than `timeoutMs`, or all calls are refused after five failures in a row; the reason
   * of `signal` if it is aborted during `work`; any other error of `work`.
   */
  async callSlow<T>(
    operation: string,
    work: Work<T>,
    { probe, ...options }: OnceOptions & { probe: Work<unknown> },
  ): Promise<T> {
    await this.assertReachable(probe);
    return this.callOnce(operation, work, options);
  }

  /**
   * Runs `work` at most three times of two seconds each, within five seconds, until it succeeds:
   * for reads, and for changes that can safely run twice.
   *
   * @throws ServiceUnavailable if the service is unreachable, answers 5xx or too slowly each time,
   * or calls are refused after five failures in a row; any other error of `work` at once.
   */
  callWithRetries<T>(operation: string, work: Work<T, AbortSignal>): Promise<T> {
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

/**
 * True if the error is about the service and not about the request: no valid response, or one of
 * 500 or above. Only these errors and ended time limits count for the circuit breaker and are
 * retried, unless `isOutage` is set.
 */
const isOutageOfClient = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500);

const limit = (ms: number) => timeout(ms, TimeoutStrategy.Aggressive);

/** Checks a service until it is ready again after it was not. */
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
