import { Budget, type RunLimits } from '@platform/extension-sdk/runtime';
import { Cancellation, type CancellationSignal } from '@platform/platform';
import { bulkhead, type BulkheadPolicy } from 'cockatiel';
import type { Egress } from '@platform/egress';
import { SecretRedactor } from '../kernel/secrets/secret-redactor.js';
import { OnceEvents, type EventRun, type ProcessedEvents } from '../kernel/store/processed-events.js';
import { HttpClient } from './http-client.js';
import type { RunProgress } from './run-progress.js';
import { RunErrors } from '../handlers/run-errors.js';

/** For the run that takes up an event to end, after its time is over. */
const MARGIN_SECONDS = 5;

/** Of one run. The others wait for their turn. */
const BILLING_AT_ONCE = 8;

/** One for all: most runs end well, and nobody sees it. */
const OVER = RunErrors.over();

/** What a run shares with the functions of the same app that it calls: its time, its budgets, and what it has to keep quiet about. */
export class RunState {
  readonly redactor = new SecretRedactor();
  readonly storeOperations: Budget;
  readonly calls: Budget;
  readonly notifications: Budget;
  readonly http: HttpClient;
  readonly once: OnceEvents;
  logLines = 0;
  /** Once a task has said how far it is. */
  progress: RunProgress | null = null;

  private billingPlaces: BulkheadPolicy | undefined;
  private readonly over = new Cancellation();
  private readonly timer: NodeJS.Timeout;
  private readonly onCallerGone = (): void => this.over.abort(RunErrors.cancelled());

  constructor(
    readonly limits: RunLimits,
    timeoutMs: number,
    private readonly caller: CancellationSignal | null,
    services: { egress: Egress; events: ProcessedEvents; allowedHosts: () => Promise<readonly string[] | null> },
    run: Omit<EventRun, 'maxSeconds'>,
  ) {
    this.storeOperations = new Budget('operations on what it keeps', limits.storeOperations);
    this.calls = new Budget('calls of functions', limits.calls);
    this.notifications = new Budget('notifications', limits.notifications);
    this.http = new HttpClient(services.egress, limits, this.signal, services.allowedHosts);
    this.once = new OnceEvents(services.events, { ...run, maxSeconds: Math.ceil(timeoutMs / 1_000) + MARGIN_SECONDS });
    this.timer = setTimeout(() => this.over.abort(RunErrors.timeout(timeoutMs)), timeoutMs);
    if (caller?.aborted) this.onCallerGone();
    else caller?.addEventListener('abort', this.onCallerGone, { once: true });
  }

  /** Aborted when the run is over, with an ExtensionError that says why. */
  get signal(): CancellationSignal {
    return this.over;
  }

  /** @throws ExtensionError when the run is over: RUN_OVER, TIMEOUT, CANCELLED. */
  readonly assertOpen = (): void => this.signal.throwIfAborted();

  /** What `work` gives, or what ends the run before it; `work` may then go on, but reaches nothing any more. */
  async untilOver<T>(work: () => Promise<T>): Promise<T> {
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

  /** What `work` gives, which asks something of billing: of one run a few at once. @throws ExtensionError when the run is over before its turn. */
  ofBilling<T>(work: () => Promise<T>): Promise<T> {
    this.billingPlaces ??= bulkhead(BILLING_AT_ONCE, Infinity);
    return this.billingPlaces.execute(() => {
      this.assertOpen();
      return work();
    });
  }

  /** From now on every use of the context raises, and what is still on its way ends. */
  end(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener('abort', this.onCallerGone);
    this.over.abort(OVER);
  }
}
