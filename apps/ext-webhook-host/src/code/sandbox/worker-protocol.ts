import type { MessagePort } from 'node:worker_threads';
import type { ContextCall, FromRun, RunMessage } from '../protocol.js';

/** Between the child process and its workers. */
export type ToWorker =
  | { type: 'run'; message: RunMessage }
  | { type: 'answer'; run: number; call: number; ok: boolean; text: string }
  | { type: 'stop'; run: number };

export type FromWorker =
  | FromRun
  /** The worker does nothing else until the answer comes through `syncPort`. */
  | ({ type: 'callNow'; run: number; call: number } & ContextCall)
  /** As it was told to. */
  | { type: 'stopped'; run: number };

export interface WorkerData {
  wasm: WebAssembly.Module;
  /** For `Heaps`: of all threads, of this one, and how many pages all may have together. */
  heaps: { shared: SharedArrayBuffer; thread: SharedArrayBuffer; most: number };
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
