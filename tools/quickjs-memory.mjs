import { buildTrick } from './build-tricks.mjs';

/**
 * Replaces: QuickJS begins with 16 MiB. Its data, its stack (5 MiB) and an ordinary app need 6. Loading an app reads all pages, and each unused page costs a
 * page fault. Here it begins with 7 MiB and grows when it must.
 * Gains: see docs/performance.md.
 * Off: `SPEED_TRICKS_OFF=quickjs-memory npm run build`.
 */
export const quickjsMemory = buildTrick('quickjs-memory', '@jitl/quickjs-wasmfile-release-sync', '0.32.0');

/** In pages of 64 KiB. */
const PUBLISHED_PAGES = 256;
export const FIRST_PAGES = quickjsMemory.isOn ? 112 : PUBLISHED_PAGES;

/** The memory's import: its kind, that it has a maximum, and from 256 to 32,768 pages (WebAssembly Core Specification 2.0, 5.5.5 and 5.3.9). */
const IMPORT = Buffer.from([0x02, 0x01, 0x80, 0x02, 0x80, 0x80, 0x02]);
const AT_FIRST_PAGES = 2;

/**
 * @param {Uint8Array} wasm
 * @throws Error where its memory is declared in another way
 */
export function withFirstPages(wasm) {
  const bytes = Buffer.from(wasm);
  const at = bytes.indexOf(IMPORT);
  if (at < 0 || bytes.includes(IMPORT, at + 1))
    throw new Error(
      'The memory of QuickJS is declared in another way now: read its import section, then change what tools/quickjs-memory.mjs expects.',
    );
  // In two bytes, as it was: a number in LEB128 may be longer than it needs to be.
  bytes.set([0x80 | (FIRST_PAGES & 0x7f), FIRST_PAGES >> 7], at + AT_FIRST_PAGES);
  return bytes;
}
