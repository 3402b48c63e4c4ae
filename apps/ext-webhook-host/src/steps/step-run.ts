import type { JsonObject, JsonValue } from '@platform/app-document';
import { type CallKind, type ExtensionContext, ExtensionError } from '@platform/extension-sdk/runtime';
import type { CancellationSignal } from '@platform/platform';
import { setImmediate } from 'node:timers/promises';
import type { RunInput } from '../handlers/handler-runtime.js';
import type { Answer } from './program.js';
import { StepErrors } from './values/steps.errors.js';

/** Limit for the size of all values that templates and steps produce, as `jsonSize` measures it. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Time for which a run may keep other runs from the processor. */
const SLICE_MS = 10;

/** State of one run of a handler. */
export class StepRun {
  readonly event: JsonValue;
  readonly context: ExtensionContext;
  readonly startedAt = new Date().toISOString();
  /** Results by slot; undefined for steps that were not done. */
  readonly results: (JsonValue | undefined)[] = [];
  prev: JsonValue | undefined;
  /** Current item and index of `transform.map` and `transform.filter`. */
  item: JsonValue | undefined;
  index: number | undefined;
  /** Output of the last `ui` steps. */
  message: string | null = null;
  ui: JsonObject | null = null;
  /** Answer of `control.return`; null before it. */
  answer: Answer | null = null;

  private readonly signal: CancellationSignal;
  private readonly aborted: Promise<never>;
  private onAbort = (): void => undefined;
  private bytes = 0;
  private sliceEnds = performance.now() + SLICE_MS;

  constructor(
    readonly kind: CallKind,
    private readonly ids: readonly string[],
    { event, context, signal }: RunInput,
  ) {
    this.event = event;
    this.context = context;
    this.signal = signal;
    this.aborted = new Promise<never>((_resolve, reject) => {
      this.onAbort = () => reject(this.endError());
    });
    // The rejection can come while nothing waits for it.
    this.aborted.catch(() => undefined);
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  /**
   * Counts the size of a value that the run has produced.
   *
   * @throws ExtensionError BUDGET_EXCEEDED if all values of the run have more than 32 MiB.
   */
  spend(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > MAX_BYTES) throw StepErrors.tooMuch(MAX_BYTES);
  }

  /** Returns the result of `promise`, or rejects with `endError()` when the run ends before. */
  raceWithAbort<Value>(promise: Promise<Value>): Promise<Value> {
    return Promise.race([promise, this.aborted]);
  }

  get isAborted(): boolean {
    return this.signal.aborted;
  }

  /**
   * Error for the end of the run: the reason that the host gave, such as CANCELLED; otherwise
   * TIMEOUT.
   */
  endError(): ExtensionError {
    const reason: unknown = this.signal.reason;
    return reason instanceof ExtensionError ? reason : StepErrors.timeIsOver();
  }

  /**
   * True if 10 ms have passed since the run started or last let others run, so that other runs
   * should have a turn.
   */
  get hasUsedSlice(): boolean {
    return performance.now() > this.sliceEnds;
  }

  /**
   * Lets other runs use the processor, and timers fire.
   *
   * @throws the error of `endError` if the run has ended meanwhile.
   */
  async yieldSlice(): Promise<void> {
    await setImmediate();
    if (this.signal.aborted) throw this.endError();
    this.sliceEnds = performance.now() + SLICE_MS;
  }

  end(): void {
    this.signal.removeEventListener('abort', this.onAbort);
  }

  resultsById(): JsonObject {
    return Object.fromEntries(
      this.ids.flatMap((id, slot): [string, JsonValue][] => {
        const result = this.results[slot];
        return result === undefined ? [] : [[id, result]];
      }),
    );
  }

  get app(): JsonObject {
    const { app_id, version } = this.context.app;
    return { app_id, version };
  }

  get tenantId(): string {
    return this.context.user.tenant_id;
  }

  /** The user as templates see it; null if the run has no user. */
  get user(): JsonObject | null {
    const { platform_id, email, role, tenant_id } = this.context.user;
    return platform_id.startsWith('__') ? null : { platform_id, email, role, tenant_id };
  }
}
