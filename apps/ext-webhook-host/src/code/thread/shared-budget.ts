/** Of so much, what large things may have: a quarter is left to small ones, so that who takes little finds room beside who takes much. */
export const forLarge = (most: number): number => Math.floor((most * 3) / 4);

/** What all threads take of something together, such as pages of memory. Each adds and takes away its own. */
export class SharedBudget {
  private readonly total: Int32Array;
  private readonly own: Int32Array;

  /**
   * @param shared of all threads.
   * @param thread of this one, so that what it had can be given back when it is gone.
   */
  constructor(
    shared: SharedArrayBuffer,
    thread: SharedArrayBuffer,
    private readonly most: number,
  ) {
    this.total = new Int32Array(shared);
    this.own = new Int32Array(thread);
  }

  /** Whether there is room. */
  take(amount: number, isSmall: boolean): boolean {
    const most = isSmall ? this.most : forLarge(this.most);
    for (;;) {
      const used = Atomics.load(this.total, 0);
      if (used + amount > most) return false;
      if (Atomics.compareExchange(this.total, 0, used, used + amount) !== used) continue;
      Atomics.add(this.own, 0, amount);
      return true;
    }
  }

  giveBack(amount: number): void {
    Atomics.sub(this.total, 0, amount);
    Atomics.sub(this.own, 0, amount);
  }

  /** The thread is gone, and with it all that it has taken. */
  giveBackAll(): void {
    this.giveBack(Atomics.load(this.own, 0));
  }
}
