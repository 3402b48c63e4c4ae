/** What the heaps of all threads take together, in pages of WebAssembly. Shared by the threads; each adds and takes away its own. */
export class Heaps {
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

  /** Whether there is room. Heaps that grow leave a quarter for new ones, so that who takes little finds room beside who takes much. */
  take(pages: number, isNew: boolean): boolean {
    const most = isNew ? this.most : Math.floor((this.most * 3) / 4);
    for (;;) {
      const used = Atomics.load(this.total, 0);
      if (used + pages > most) return false;
      if (Atomics.compareExchange(this.total, 0, used, used + pages) !== used) continue;
      Atomics.add(this.own, 0, pages);
      return true;
    }
  }

  giveBack(pages: number): void {
    Atomics.sub(this.total, 0, pages);
    Atomics.sub(this.own, 0, pages);
  }

  /** The thread is gone, and all its heaps with it. */
  close(): void {
    this.giveBack(Atomics.load(this.own, 0));
  }
}
