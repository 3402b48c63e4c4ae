/**
 * Three quarters of a budget, which large items can use. A quarter is left for small items, so that
 * they find room beside large ones.
 */
export const largeItemBudget = (most: number): number => Math.floor((most * 3) / 4);

/**
 * Budget that all threads share, such as pages of memory. Each thread adds and subtracts its own
 * part.
 */
export class SharedBudget {
  private readonly total: Int32Array;
  private readonly own: Int32Array;

  /**
   * @param shared sum of all threads.
   * @param thread part of this thread, which is returned when the thread has ended.
   */
  constructor(
    shared: SharedArrayBuffer,
    thread: SharedArrayBuffer,
    private readonly most: number,
  ) {
    this.total = new Int32Array(shared);
    this.own = new Int32Array(thread);
  }

  /**
   * Takes an amount. Returns false, and takes nothing, if there is no room; an amount that is not
   * small finds room only in `largeItemBudget` of the budget.
   */
  reserve(amount: number, isSmall: boolean): boolean {
    const most = isSmall ? this.most : largeItemBudget(this.most);
    for (;;) {
      const used = Atomics.load(this.total, 0);
      if (used + amount > most) return false;
      if (Atomics.compareExchange(this.total, 0, used, used + amount) !== used) continue;
      Atomics.add(this.own, 0, amount);
      return true;
    }
  }

  release(amount: number): void {
    Atomics.sub(this.total, 0, amount);
    Atomics.sub(this.own, 0, amount);
  }

  /** Returns all that a thread has taken, after its end. */
  releaseAll(): void {
    this.release(Atomics.load(this.own, 0));
  }
}
