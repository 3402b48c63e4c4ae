import { ExtensionError } from './extension-error.js';
import type { CallKind } from './capabilities.js';

/** Limits of one run. */
export interface RunLimits {
  /** Wall-clock time. */
  seconds: number;
  httpRequests: number;
  /** Requests at the same moment; further requests wait. */
  openHttpRequests: number;
  httpResponseBytes: number;
  /** Operations on documents, cache, secrets, events and billing. */
  storeOperations: number;
  /** Calls of functions, of this app and of others. */
  calls: number;
  notifications: number;
  /** Depth of nested calls between apps, including the first app. */
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
/** Limits of a function that continues after its request, as a task. */
export const TASK_LIMITS: RunLimits = { ...FUNCTION, seconds: 180 };
/** Webhooks have less time, since providers wait three to ten seconds for an answer. */
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

/** Counts one kind of operation of a run against its limit. */
export class Budget {
  private used = 0;

  constructor(
    /** Name of the operation in the error message: `http requests`. */
    private readonly what: string,
    private readonly limit: number,
  ) {}

  /** Counts one operation. @throws ExtensionError BUDGET_EXCEEDED if the limit is reached. */
  spend(): void {
    if (this.used >= this.limit)
      throw new ExtensionError('BUDGET_EXCEEDED', `A run can use at most ${this.limit} ${this.what}.`);
    this.used++;
  }
}
