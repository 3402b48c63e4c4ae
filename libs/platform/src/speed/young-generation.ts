import { setFlagsFromString } from 'node:v8';

/**
 * Has the young generation of this process grow as V8 does it by itself: it doubles, up to 16 MB and a copy, as long as much of what is made stays.
 *
 * Until then the first lines of a bundled service (`tools/bundle-programs.mjs`) keep it small. While a service starts nearly all that it makes stays,
 * so the space grows to its maximum, and V8 shrinks it only by a full collection while little is allocated. Requests leave little behind, but are
 * slower where it is small: docs/decisions/0007-bench-bars.md has the figures. V8 reads the flag whenever it decides whether to grow.
 */
export const releaseYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=2');
