import { ApiError, ConnectionError } from '@platform/client';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  retry,
  TaskCancelledError,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel';
import { Gauge, Histogram, type Registry as Metrics } from 'prom-client';
import { RegistryUnavailable } from './registry.errors.js';

/** One try, from the connection to the end of the answer. */
const TRY_TIMEOUT_MS = 2_000;
/** A call with all its tries and the pauses between them. */
const CALL_TIMEOUT_MS = 5_000;
const RETRIES = 2;
const FAILURES_UNTIL_OPEN = 5;
const PROBE_AFTER_MS = 5_000;

type Work<T> = (signal: AbortSignal) => Promise<T>;

/** What says something about the Registry, and not about the request: only that counts for the circuit, and is tried again. */
function isOutage(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TaskCancelledError || (error instanceof ApiError && error.status >= 500);
}

/**
 * How calls of the Registry are made: with time limits, retried where that is safe, and not at all for a while after five failures in a
 * row; then one call at a time shows whether it is back.
 */
export class RegistryCalls {
  private readonly breaker;
  private readonly single;
  private readonly repeated;
  private readonly durations: Histogram<'operation' | 'outcome'>;

  constructor(metrics: Metrics, probeAfterMs = PROBE_AFTER_MS) {
    const whole = timeout(CALL_TIMEOUT_MS, TimeoutStrategy.Aggressive);
    const each = timeout(TRY_TIMEOUT_MS, TimeoutStrategy.Aggressive);
    this.breaker = circuitBreaker(handleWhen(isOutage), {
      halfOpenAfter: probeAfterMs,
      breaker: new ConsecutiveBreaker(FAILURES_UNTIL_OPEN),
    });
    const retries = retry(handleWhen(isOutage), {
      maxAttempts: RETRIES,
      backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 1_000 }),
    });
    this.single = wrap(this.breaker, each);
    this.repeated = wrap(whole, retries, this.breaker, each);
    this.durations = new Histogram({
      name: 'registry_call_duration_seconds',
      help: 'Time of a call of the Registry with all its tries; `unavailable` counts those that the open circuit refused too',
      labelNames: ['operation', 'outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [metrics],
    });
    new Gauge({
      name: 'registry_circuit_open',
      help: '1 while calls of the Registry are refused without being made, 0.5 while one shows whether it is back',
      registers: [metrics],
      collect: this.collectState(),
    });
  }

  /** For what must not be done twice. @throws RegistryUnavailable, or ApiError when the Registry refused. */
  once<T>(operation: string, work: Work<T>): Promise<T> {
    return this.measured(operation, () => this.single.execute(({ signal }) => work(signal)));
  }

  /** For reads, and for changes that may be made twice. @throws as `once`. */
  repeatable<T>(operation: string, work: Work<T>): Promise<T> {
    return this.measured(operation, () => this.repeated.execute(({ signal }) => work(signal)));
  }

  private async measured<T>(operation: string, run: () => Promise<T>): Promise<T> {
    const end = this.durations.startTimer({ operation });
    try {
      const result = await run();
      end({ outcome: 'success' });
      return result;
    } catch (error) {
      const isUnavailable = isOutage(error) || error instanceof BrokenCircuitError;
      end({ outcome: isUnavailable ? 'unavailable' : 'refused' });
      throw isUnavailable ? new RegistryUnavailable(error) : error;
    }
  }

  private collectState() {
    const { breaker } = this;
    return function (this: Gauge): void {
      this.set(breaker.state === CircuitState.Closed ? 0 : breaker.state === CircuitState.HalfOpen ? 0.5 : 1);
    };
  }
}
