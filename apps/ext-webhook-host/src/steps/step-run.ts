import type { JsonObject, JsonValue } from '@platform/app-document';
import { type CallKind, type ExtensionContext, ExtensionError } from '@platform/extension-sdk/runtime';
import type { CancellationSignal } from '@platform/platform';
import { setImmediate } from 'node:timers/promises';
import type { RunInput } from '../handlers/handler-runtime.js';
import type { Answer } from './program.js';
import { StepErrors } from './values/steps.errors.js';

/** Of all values that templates and steps give, as `sizeOf` has it. */
const MAX_BYTES = 32 * 1024 * 1024;
/** How long a run keeps others from the processor. */
const SLICE_MS = 10;

/** What one run of a handler knows. */
export class StepRun {
  readonly event: JsonValue;
  readonly context: ExtensionContext;
  readonly startedAt = new Date().toISOString();
  /** By the slots of the steps; undefined where none was done yet. */
  readonly results: (JsonValue | undefined)[] = [];
  prev: JsonValue | undefined;
  /** Of `transform.map` and `transform.filter`. */
  item: JsonValue | undefined;
  index: number | undefined;
  /** What the last `ui` steps gave. */
  message: string | null = null;
  ui: JsonObject | null = null;
  /** What `control.return` said; null while it has not. */
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
      this.onAbort = () => reject(this.timeIsOver());
    });
    // It may come while nobody waits.
    this.aborted.catch(() => undefined);
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  /** @throws ExtensionError BUDGET_EXCEEDED. */
  spend(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > MAX_BYTES) throw StepErrors.tooMuch(MAX_BYTES);
  }

  /** `promise`, or what ends the run before it. */
  orAborted<Value>(promise: Promise<Value>): Promise<Value> {
    return Promise.race([promise, this.aborted]);
  }

  get isAborted(): boolean {
    return this.signal.aborted;
  }

  /** Why the run is over, as far as the host told. */
  timeIsOver(): ExtensionError {
    const reason: unknown = this.signal.reason;
    return reason instanceof ExtensionError ? reason : StepErrors.timeIsOver();
  }

  /** Whether others had to wait for long enough. */
  get isSliceOver(): boolean {
    return performance.now() > this.sliceEnds;
  }

  /** Lets others have the processor, and deadlines pass. */
  async yieldSlice(): Promise<void> {
    await setImmediate();
    if (this.signal.aborted) throw this.timeIsOver();
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

  /** Null when no user stands behind the run. */
  get user(): JsonObject | null {
    const { platform_id, email, role, tenant_id } = this.context.user;
    return platform_id.startsWith('__') ? null : { platform_id, email, role, tenant_id };
  }
}
