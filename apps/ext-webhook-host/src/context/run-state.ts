import { Budget, type RunLimits } from '@platform/extension-sdk/runtime';
import { Cancellation, type CancellationSignal } from '@platform/platform';
import { bulkhead, type BulkheadPolicy } from 'cockatiel';
import type { Egress } from '@platform/egress';
import { SecretRedactor } from '../kernel/secrets/secret-redactor.js';
import {
  OnceEvents,
  type EventRun,
  type ProcessedEventsRepository,
} from '../kernel/store/processed-events.repository.js';
import { RunHttp } from './run-http.js';
import type { RunProgress } from './run-progress.js';
import { RunErrors } from '../handlers/run-errors.js';

/** Time after its timeout in which a run that has taken up an event can end. */
const MARGIN_SECONDS = 5;

/** Billing calls of one run at the same time. Further calls wait. */
const BILLING_AT_ONCE = 8;

/** A single error object serves all runs, because it is rarely read. */
const OVER = RunErrors.over();

/**
 * State that a run shares with the functions of the same app that it calls: its time, its budgets,
 * and the secrets to redact.
 */
export class RunState {
  readonly redactor = new SecretRedactor();
  readonly storeOperations: Budget;
  readonly calls: Budget;
  readonly notifications: Budget;
  readonly http: RunHttp;
  readonly once: OnceEvents;
  logLines = 0;
  /** Set by the first progress report of a task. */
  progress: RunProgress | null = null;

  private billingPlaces: BulkheadPolicy | undefined;
  private readonly over = new Cancellation();
  private readonly timer: NodeJS.Timeout;
  private readonly onCallerGone = (): void => this.over.abort(RunErrors.cancelled());

  constructor(
    readonly limits: RunLimits,
    timeoutMs: number,
    private readonly caller: CancellationSignal | null,
    services: { egress: Egress; events: ProcessedEventsRepository; allowedHosts: () => Promise<readonly string[]> },
    run: Omit<EventRun, 'maxSeconds'>,
  ) {
    this.storeOperations = new Budget('storage operations', limits.storeOperations);
    this.calls = new Budget('function calls', limits.calls);
    this.notifications = new Budget('notifications', limits.notifications);
    this.http = new RunHttp(services.egress, limits, this.signal, services.allowedHosts);
    this.once = new OnceEvents(services.events, { ...run, maxSeconds: Math.ceil(timeoutMs / 1_000) + MARGIN_SECONDS });
    this.timer = setTimeout(() => this.over.abort(RunErrors.timeout(timeoutMs)), timeoutMs);
    if (caller?.aborted) this.onCallerGone();
    else caller?.addEventListener('abort', this.onCallerGone, { once: true });
  }

  /** Aborted when the run is over. The reason is an ExtensionError. */
  get signal(): CancellationSignal {
    return this.over;
  }

  /**
   * Checks that the run is not over.
   *
   * @throws ExtensionError RUN_OVER after its end; TIMEOUT if its time is over; CANCELLED if its
   * caller has disconnected.
   */
  readonly assertOpen = (): void => this.signal.throwIfAborted();

  /**
   * Returns the result of `work`. If the run ends before, it throws the reason of `signal`, such as
   * TIMEOUT or CANCELLED. `work` can then continue, but every use of the context throws. If the run
   * is already over, `work` is not called.
   */
  async raceWithEnd<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this;
    signal.throwIfAborted();
    let onAbort = (): void => undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      onAbort = () => {
        const reason = signal.reason as Error;
        reject(reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
    });
    return Promise.race([work(), ended]).finally(() => signal.removeEventListener('abort', onAbort));
  }

  /**
   * Returns the result of `work`, a billing call. A run makes 8 of them at the same time; others
   * wait.
   *
   * @throws ExtensionError RUN_OVER, TIMEOUT or CANCELLED if the run ends before its turn; the
   * errors of `work`.
   */
  runBillingCall<T>(work: () => Promise<T>): Promise<T> {
    this.billingPlaces ??= bulkhead(BILLING_AT_ONCE, Infinity);
    return this.billingPlaces.execute(() => {
      this.assertOpen();
      return work();
    });
  }

  /**
   * Ends the run. Every later use of the context throws RUN_OVER, or the reason for which the run
   * was already over, such as TIMEOUT. Work that waits for `signal`, such as HTTP requests, is
   * aborted.
   */
  end(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener('abort', this.onCallerGone);
    this.over.abort(OVER);
  }
}
