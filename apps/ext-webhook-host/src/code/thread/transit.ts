import { CODE_LIMITS, TRANSIT } from '../code-limits.js';
import { SharedBudget } from './shared-budget.js';

const ALL_KIBIBYTES = TRANSIT.megabytes * 1024;

/** What is on its way between all threads and the host, in KiB. Whoever posts a message takes room for it first; whoever has it gives that back. */
export class Transit {
  private readonly total: SharedBudget;
  private readonly own: Int32Array;

  constructor(
    shared: SharedArrayBuffer,
    /** What waits in the thread of this one, or was posted by it and has not arrived: lost when it is gone. */
    thread: SharedArrayBuffer,
  ) {
    this.total = new SharedBudget(shared, thread, ALL_KIBIBYTES);
    this.own = new Int32Array(thread);
  }

  /** Whether there is room. Small messages find some beside large ones, and one thread has at most a quarter of all. */
  take(kibibytes: number): boolean {
    const isSmall = kibibytes <= TRANSIT.smallKibibytes;
    if (!isSmall && Atomics.load(this.own, 0) + kibibytes > ALL_KIBIBYTES / 4) return false;
    return this.total.take(kibibytes, isSmall);
  }

  giveBack(kibibytes: number): void {
    this.total.giveBack(kibibytes);
  }

  /** It has left the thread, and is given back with `arrived` although the thread may be gone by then. */
  leave(kibibytes: number): void {
    Atomics.sub(this.own, 0, kibibytes);
  }

  arrived(kibibytes: number): void {
    Atomics.add(this.own, 0, kibibytes);
    this.total.giveBack(kibibytes);
  }

  close(): void {
    this.total.giveBackAll();
  }
}

export const kibibytesOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 1024);

/** Of one run: the calls that wait for an answer. */
export const RUN_KIBIBYTES = CODE_LIMITS.transitBytes / 1024;
