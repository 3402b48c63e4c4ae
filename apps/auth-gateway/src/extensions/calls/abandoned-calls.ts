import type { CancellationSignal } from '@platform/platform';
import { CallErrors } from './calls.errors.js';

/** Paid calls that go on although their caller has gone. One that an app made holds no place by then, so they are bounded here. */
export class AbandonedCalls {
  private readonly counts = new Map<string, number>();
  private whenNone: (() => void)[] = [];

  constructor(private readonly mostOfUser: number) {}

  /** @throws AppError 429 where the user has as many as one may have. */
  assertRoom(userId: string): void {
    if ((this.counts.get(userId) ?? 0) >= this.mostOfUser) throw CallErrors.tooManyAtOnce();
  }

  /** Watches a call until the function that is returned says that it has ended. */
  watch(userId: string, signal: CancellationSignal): () => void {
    let isAbandoned = false;
    const onAbort = (): void => {
      isAbandoned = true;
      this.change(userId, 1);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return () => {
      signal.removeEventListener('abort', onAbort);
      if (isAbandoned) this.change(userId, -1);
    };
  }

  /** Resolves when there is none. */
  async ended(): Promise<void> {
    if (this.counts.size) await new Promise<void>((done) => this.whenNone.push(done));
  }

  private change(userId: string, by: number): void {
    const count = (this.counts.get(userId) ?? 0) + by;
    if (count) this.counts.set(userId, count);
    else this.counts.delete(userId);
    if (this.counts.size) return;
    for (const done of this.whenNone.splice(0)) done();
  }
}
