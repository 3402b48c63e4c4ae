const KIBIBYTE = 1024;
const LEAST_AHEAD = KIBIBYTE;
const MOST_AHEAD = 64 * KIBIBYTE;
/** Bytes up to which no memory is reserved for the expected length, which may never arrive. */
const RESERVED_FROM = 256 * KIBIBYTE;
const NOTHING = Buffer.alloc(0);

/**
 * Collects bytes that arrive in pieces, by copying them: a piece of one byte costs one byte, and no
 * piece is kept. Allocates at most 64 KiB more than has arrived, and less at first. `flush` needs
 * the same amount again while it joins the blocks.
 */
export class ByteCollector {
  length = 0;
  private full: Buffer[] = [];
  private block: Buffer = NOTHING;
  private filled = 0;

  /**
   * `expected`: the number of all bytes, if it is known. Bytes that arrive completely are then
   * copied only once.
   */
  constructor(private readonly expected: number | null = null) {}

  add(piece: Uint8Array): void {
    const fits = Math.min(piece.length, this.block.length - this.filled);
    this.copy(fits === piece.length ? piece : piece.subarray(0, fits));
    if (fits === piece.length) return;
    this.makeRoom(piece.length - fits);
    this.copy(piece.subarray(fits));
  }

  /** Returns all bytes, and empties the collector. */
  flush(): Buffer {
    const last = this.filled === this.block.length ? this.block : this.block.subarray(0, this.filled);
    const all = this.full.length ? Buffer.concat([...this.full, last], this.length) : last;
    this.clear();
    return all;
  }

  clear(): void {
    this.full = [];
    this.block = NOTHING;
    this.length = this.filled = 0;
  }

  private copy(piece: Uint8Array): void {
    this.block.set(piece, this.filled);
    this.filled += piece.length;
    this.length += piece.length;
  }

  /** Adds a block for this number of bytes, which do not fit. The last block is full. */
  private makeRoom(bytes: number): void {
    const { length, expected } = this;
    if (length) this.full.push(this.block);
    const left = expected === null ? Infinity : expected - length;
    if (left !== Infinity && left >= bytes && length + bytes > RESERVED_FROM) {
      // Not zero-filled: the system provides memory when it is written to, so that only received
      // bytes take memory, and not announced ones.
      this.block = Buffer.allocUnsafeSlow(length + left);
      this.filled = 0;
      for (const block of this.full.splice(0)) this.filled += block.copy(this.block, this.filled);
      return;
    }
    const ahead = Math.min(Math.max(length + bytes, LEAST_AHEAD), MOST_AHEAD);
    // Small blocks share the 8 KiB pool of Node.js: separate memory for each body costs more than
    // all other work of receiving it.
    this.block = Buffer.allocUnsafe(Math.max(bytes, Math.min(bytes + ahead, left)));
    this.filled = 0;
  }
}
