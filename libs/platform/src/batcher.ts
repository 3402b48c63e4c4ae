export interface BatchOptions {
  /** Items of one batch. */
  maxItems: number;
  /** Batches that run at the same time. */
  maxRunning?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * Groups items into batches, as a database groups commits. Items that are added in the same turn of
 * the event loop form one batch; items that are added while the batches run form the next. A single
 * item does not wait for others, and a busy process sends the database a few large statements
 * instead of many small ones.
 *
 * @param run returns one result for each item, in the order of the items. If it rejects, every
 * `addItem` of the batch rejects with the same error.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = 0;
  private isStarting = false;

  constructor(
    private readonly run: (items: Item[]) => Promise<readonly Result[]>,
    private readonly options: BatchOptions,
  ) {}

  /**
   * Adds an item. Resolves with the result that `run` returned for it, or rejects with the error of
   * `run`.
   */
  addItem(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.startSoon();
    });
  }

  private startSoon(): void {
    if (this.isStarting) return;
    this.isStarting = true;
    setImmediate(() => {
      this.isStarting = false;
      this.startNext();
    });
  }

  private startNext(): void {
    const { maxItems, maxRunning = 1 } = this.options;
    while (this.running < maxRunning && this.waiting.length) {
      this.running++;
      void this.settle(this.waiting.splice(0, maxItems));
    }
  }

  private async settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const [outcome] = await Promise.allSettled([this.runOne(batch)]);
    this.running--;
    this.startNext();
    for (const [at, { resolve, reject }] of batch.entries()) {
      if (outcome.status === 'fulfilled') resolve(outcome.value[at] as Result);
      else reject(outcome.reason);
    }
  }

  /** Runs a batch. It is async, so that a synchronous throw of `run` becomes a rejection. */
  private async runOne(batch: readonly Waiting<Item, Result>[]): Promise<readonly Result[]> {
    return this.run(batch.map(({ item }) => item));
  }
}
