import type { MessagePort } from 'node:worker_threads';
import type { ContextCall, FromRun, RunMessage } from '../protocol.js';

/** Messages from the main thread of the sandbox process to its workers. */
export type ToWorker =
  | { type: 'run'; message: RunMessage }
  /** `kibibytes` is the room that it has taken in `TransitBudget`. */
  | ({ type: 'answer' } & SyncAnswer)
  | { type: 'stop'; run: number };

export interface ThreadAnswer {
  ok: boolean;
  text: string;
}

/** An answer with its call. A blocked thread gets it through `syncPort`. */
export interface SyncAnswer extends ThreadAnswer {
  run: number;
  call: number;
  kibibytes: number;
}

export type FromWorker =
  | Exclude<FromRun, { type: 'call' }>
  | ({ type: 'call'; run: number; call: number; kibibytes: number } & ContextCall)
  /** The worker is blocked until the answer comes through `syncPort`. */
  | ({ type: 'callNow'; run: number; call: number; kibibytes: number } & ContextCall)
  /** Answer to `stop`. */
  | { type: 'stopped'; run: number };

export interface WorkerData {
  wasm: WebAssembly.Module;
  heaps: {
    /** Budgets of heaps (`SharedBudget`): of all threads, and of this one. */
    shared: SharedArrayBuffer;
    thread: SharedArrayBuffer;
    /** Pages that all threads may have together. */
    most: number;
    /** Pages that this thread may keep in memories without a run. */
    idle: number;
  };
  /** Budgets of messages (`TransitBudget`): of all threads, and of this one. */
  transit: { shared: SharedArrayBuffer; thread: SharedArrayBuffer };
  /** Numbers at the indexes of `STATE`, shared by the worker and the main thread. */
  state: SharedArrayBuffer;
  syncPort: MessagePort;
}

/** Indexes of the numbers in `state`. */
export const STATE = {
  /** Time at which the running code began, as `Date.now()`; 0 if none runs. */
  busySince: 0,
  /** Milliseconds that this code may take. */
  limitMs: 1,
  run: 2,
  length: 3,
} as const;
