import { ExtensionError } from './extension-error.js';
import type { CallKind } from './capabilities.js';

/** What one run may use. */
export interface RunLimits {
  /** Wall-clock time. */
  seconds: number;
  httpRequests: number;
  /** At the same moment; more wait. */
  openHttpRequests: number;
  httpResponseBytes: number;
  /** On documents, cache, secrets, events and billing. */
  storeOperations: number;
  /** Of functions, of this app and of others. */
  calls: number;
  notifications: number;
  /** Extensions that call each other, the first one included. */
  callDepth: number;
  logLines: number;
  logLineBytes: number;
}

const MEBIBYTE = 1024 * 1024;

const FUNCTION: RunLimits = {
  seconds: 30,
  httpRequests: 20,
  openHttpRequests: 6,
  httpResponseBytes: MEBIBYTE,
  storeOperations: 200,
  calls: 50,
  notifications: 20,
  callDepth: 6,
  logLines: 64,
  logLineBytes: 4_096,
};
/** Of a function that goes on after the request that called it. */
export const TASK_LIMITS: RunLimits = { ...FUNCTION, seconds: 180 };
/** Providers wait from three to ten seconds for an answer. */
const WEBHOOK: RunLimits = { ...FUNCTION, seconds: 10, storeOperations: 100, callDepth: 4 };

export const RUN_LIMITS: Readonly<Record<CallKind, RunLimits>> = {
  function: FUNCTION,
  skeleton: FUNCTION,
  webhook: WEBHOOK,
  schedule: FUNCTION,
  event: FUNCTION,
  lifecycle: FUNCTION,
  health: { ...FUNCTION, seconds: 10 },
};

/** Counts what a run does of one kind. */
export class Budget {
  private used = 0;

  constructor(
    /** As the extension is told: `http requests`. */
    private readonly what: string,
    private readonly limit: number,
  ) {}

  /** @throws ExtensionError BUDGET_EXCEEDED. */
  spend(): void {
    if (this.used >= this.limit) throw new ExtensionError('BUDGET_EXCEEDED', `A run has at most ${this.limit} ${this.what}.`);
    this.used++;
  }
}
