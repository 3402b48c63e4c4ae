import { CODE_LIMITS, TRANSIT } from '../code-limits.js';
import { SharedBudget } from './shared-budget.js';

const ALL_KIBIBYTES = TRANSIT.megabytes * 1024;

/**
 * Budget in KiB for messages on their way between all threads and the host. The sender takes room
 * before it posts a message; the receiver gives the room back.
 */
export class TransitBudget {
  private readonly total: SharedBudget;
  private readonly own: Int32Array;

  constructor(
    shared: SharedArrayBuffer,
    /**
     * KiB of messages that wait in this thread, or that it posted and that have not arrived. They
     * are lost when the thread ends.
     */
    thread: SharedArrayBuffer,
  ) {
    this.total = new SharedBudget(shared, thread, ALL_KIBIBYTES);
    this.own = new Int32Array(thread);
  }

  /**
   * Takes room for a message; returns false if there is none. A message of more than 16 KiB finds
   * room only in three quarters of the budget, and only if its thread then has at most a quarter of
   * all; a smaller one can use the whole budget.
   */
  reserve(kibibytes: number): boolean {
    const isSmall = kibibytes <= TRANSIT.smallKibibytes;
    if (!isSmall && Atomics.load(this.own, 0) + kibibytes > ALL_KIBIBYTES / 4) return false;
    return this.total.reserve(kibibytes, isSmall);
  }

  release(kibibytes: number): void {
    this.total.release(kibibytes);
  }

  /**
   * Records that a message has left the thread. Its room then stays taken until `releaseSent` gives
   * it back, even if the thread has ended.
   */
  markSent(kibibytes: number): void {
    Atomics.sub(this.own, 0, kibibytes);
  }

  releaseSent(kibibytes: number): void {
    Atomics.add(this.own, 0, kibibytes);
    this.total.release(kibibytes);
  }

  close(): void {
    this.total.releaseAll();
  }
}

export const kibibytesOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 1024);

/** KiB of the arguments of one run's calls that wait for an answer. */
export const RUN_KIBIBYTES = CODE_LIMITS.transitBytes / 1024;
