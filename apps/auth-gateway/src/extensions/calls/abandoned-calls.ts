import type { CancellationSignal } from '@platform/platform';

/**
 * Limits paid calls that continue after their caller disconnected. Calls made by an app hold no
 * slot of the concurrency limit, so only this limit bounds them.
 */
export class AbandonedCalls {
  private readonly counts = new Map<string, number>();
  private whenNone: (() => void)[] = [];

  constructor(private readonly mostOfCaller: number) {}

  hasRoom(caller: string): boolean {
    return (this.counts.get(caller) ?? 0) < this.mostOfCaller;
  }

  /**
   * Watches a call: it counts as abandoned from the time at which `signal` is aborted. Call the
   * returned function when the call has ended; it ends the count and the watch.
   */
  watch(caller: string, signal: CancellationSignal): () => void {
    let isAbandoned = false;
    const onAbort = (): void => {
      isAbandoned = true;
      this.addToCount(caller, 1);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return () => {
      signal.removeEventListener('abort', onAbort);
      if (isAbandoned) this.addToCount(caller, -1);
    };
  }

  /** Resolves when no abandoned call runs. */
  async waitUntilEnded(): Promise<void> {
    if (this.counts.size) await new Promise<void>((done) => this.whenNone.push(done));
  }

  private addToCount(caller: string, by: number): void {
    const count = (this.counts.get(caller) ?? 0) + by;
    if (count) this.counts.set(caller, count);
    else this.counts.delete(caller);
    if (this.counts.size) return;
    for (const done of this.whenNone.splice(0)) done();
  }
}
