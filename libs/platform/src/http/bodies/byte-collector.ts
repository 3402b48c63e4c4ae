const KIBIBYTE = 1024;
const LEAST_AHEAD = KIBIBYTE;
const MOST_AHEAD = 64 * KIBIBYTE;
/** Below it, what was announced and never comes is not even reserved. */
const RESERVED_FROM = 256 * KIBIBYTE;
const NOTHING = Buffer.alloc(0);

/**
 * Collects bytes that come in pieces, however small, by copying them: a piece of one byte costs one byte, and no piece is kept. Takes at
 * most 64 KiB more than has come, at first less, and while `take` joins them as much again.
 */
export class ByteCollector {
  length = 0;
  private full: Buffer[] = [];
  private block: Buffer = NOTHING;
  private filled = 0;

  /** `expected`: how many there will be, where that is known; what comes whole is then copied once. */
  constructor(private readonly expected: number | null = null) {}

  add(piece: Uint8Array): void {
    const fits = Math.min(piece.length, this.block.length - this.filled);
    this.copy(fits === piece.length ? piece : piece.subarray(0, fits));
    if (fits === piece.length) return;
    this.makeRoom(piece.length - fits);
    this.copy(piece.subarray(fits));
  }

  /** All that has come. Nothing is left here. */
  take(): Buffer {
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

  /** For so many bytes more than fit; the last block is full. */
  private makeRoom(bytes: number): void {
    const { length, expected } = this;
    if (length) this.full.push(this.block);
    const left = expected === null ? Infinity : expected - length;
    if (left !== Infinity && left >= bytes && length + bytes > RESERVED_FROM) {
      // Not filled: the system gives it memory as it is written to, so that it takes what has come and not what was announced.
      this.block = Buffer.allocUnsafeSlow(length + left);
      this.filled = 0;
      for (const block of this.full.splice(0)) this.filled += block.copy(this.block, this.filled);
      return;
    }
    const ahead = Math.min(Math.max(length + bytes, LEAST_AHEAD), MOST_AHEAD);
    // Small ones share the pool of Node.js, 8 KiB each: memory of its own for each body costs more than all else that receives it.
    this.block = Buffer.allocUnsafe(Math.max(bytes, Math.min(bytes + ahead, left)));
    this.filled = 0;
  }
}
