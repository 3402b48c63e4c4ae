import { setFlagsFromString } from 'node:v8';

/**
 * Restores V8's own growth of the young generation in this process: it doubles, up to 16 MB and a
 * copy, while many new objects survive.
 *
 * Until this call, the first lines of a bundled service (`tools/bundle-programs.mjs`) keep it
 * small. Nearly all objects of the start survive, so the space would grow to its maximum, and V8
 * shrinks it only by a full collection while little is allocated. Requests leave few objects
 * behind, but are slower with a small young generation: docs/decisions/0007-bench-bars.md has the
 * figures. V8 reads the flag each time it decides whether to grow.
 */
export const releaseYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=2');
