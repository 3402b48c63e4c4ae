import type { MessagePort } from 'node:worker_threads';
import type { ContextCall, FromRun, RunMessage } from '../protocol.js';

/** Between the child process and its workers. */
export type ToWorker =
  | { type: 'run'; message: RunMessage }
  /** `kibibytes`: what it has taken of what may be in transit. */
  | ({ type: 'answer' } & SyncAnswer)
  | { type: 'stop'; run: number };

export interface ThreadAnswer {
  ok: boolean;
  text: string;
}

/** With the call that it answers; what a thread that stands still gets through `syncPort`. */
export interface SyncAnswer extends ThreadAnswer {
  run: number;
  call: number;
  kibibytes: number;
}

export type FromWorker =
  | Exclude<FromRun, { type: 'call' }>
  | ({ type: 'call'; run: number; call: number; kibibytes: number } & ContextCall)
  /** The worker does nothing else until the answer comes through `syncPort`. */
  | ({ type: 'callNow'; run: number; call: number; kibibytes: number } & ContextCall)
  /** As it was told to. */
  | { type: 'stopped'; run: number };

export interface WorkerData {
  wasm: WebAssembly.Module;
  heaps: {
    /** The `SharedBudget` of heaps: of all threads, and of this one. */
    shared: SharedArrayBuffer;
    thread: SharedArrayBuffer;
    /** How many pages all threads may have together. */
    most: number;
    /** How many pages this thread may keep in memories without a run. */
    idle: number;
  };
  /** For `Transit`: of all threads, of this one. */
  transit: { shared: SharedArrayBuffer; thread: SharedArrayBuffer };
  /** Seen by both: how the worker does. */
  state: SharedArrayBuffer;
  syncPort: MessagePort;
}

/** Of the numbers in `state`. */
export const STATE = {
  /** When the code began that runs at the moment, as `Date.now()`; 0 when none does. */
  busySince: 0,
  /** How long that may take. */
  limitMs: 1,
  run: 2,
  length: 3,
} as const;
