import { buildTrick } from './build-tricks.mjs';

/**
 * Replaces: QuickJS starts with 16 MiB of memory. Its data, its stack (5 MiB) and an ordinary app
 * need 6 MiB. Loading an app reads all pages, and each unused page costs a page fault. With this
 * trick it starts with 7 MiB and grows when needed.
 * Gains: see docs/performance.md.
 * Off: `SPEED_TRICKS_OFF=quickjs-memory npm run build`.
 */
export const quickjsMemory = buildTrick('quickjs-memory', '@jitl/quickjs-wasmfile-release-sync', '0.32.0');

/** Number of pages of 64 KiB. */
const PUBLISHED_PAGES = 256;
export const FIRST_PAGES = quickjsMemory.isOn ? 112 : PUBLISHED_PAGES;

/**
 * Import of the memory: its kind, a flag for a maximum, and 256 to 32,768 pages (WebAssembly Core
 * Specification 2.0, 5.5.5 and 5.3.9).
 */
const IMPORT = Buffer.from([0x02, 0x01, 0x80, 0x02, 0x80, 0x80, 0x02]);
const AT_FIRST_PAGES = 2;

/**
 * Sets the initial memory size in the WebAssembly file.
 *
 * @param {Uint8Array} wasm
 * @throws Error if the file declares its memory differently
 */
export function withFirstPages(wasm) {
  const bytes = Buffer.from(wasm);
  const at = bytes.indexOf(IMPORT);
  if (at < 0 || bytes.includes(IMPORT, at + 1))
    throw new Error(
      'QuickJS now declares its memory differently: read its import section, then adapt tools/quickjs-memory.mjs.',
    );
  // Written in two bytes as before: a LEB128 number can be longer than necessary.
  bytes.set([0x80 | (FIRST_PAGES & 0x7f), FIRST_PAGES >> 7], at + AT_FIRST_PAGES);
  return bytes;
}
