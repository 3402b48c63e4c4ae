/** Bytes of a page of WebAssembly memory. */
export const PAGE = 64 * 1024;
const WORD = 8;

/**
 * True if these pages contain only zeros; `toPage` is exclusive. Checks that the first word is 0
 * and that each word equals the previous one, so it needs no memory of zeros to compare with.
 */
export function isZeros(memory: ArrayBuffer, fromPage: number, toPage: number): boolean {
  const [from, bytes] = [fromPage * PAGE, (toPage - fromPage) * PAGE];
  if (new BigUint64Array(memory, from, 1)[0] !== 0n) return false;
  return Buffer.from(memory, from, bytes - WORD).equals(Buffer.from(memory, from + WORD, bytes - WORD));
}
