/** Bytes of a page of WebAssembly memory. */
export const PAGE = 64 * 1024;
const WORD = 8;

/**
 * Whether these pages hold nothing but zeros; `toPage` is not looked at. The first word is 0 and each word equals the one before, so no memory of zeros is
 * needed to compare with.
 */
export function isZeros(memory: ArrayBuffer, fromPage: number, toPage: number): boolean {
  const [from, bytes] = [fromPage * PAGE, (toPage - fromPage) * PAGE];
  if (new BigUint64Array(memory, from, 1)[0] !== 0n) return false;
  return Buffer.from(memory, from, bytes - WORD).equals(Buffer.from(memory, from + WORD, bytes - WORD));
}
