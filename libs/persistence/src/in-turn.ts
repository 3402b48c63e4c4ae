import { SWEEP_BATCH } from './expired-rows.js';

const MAX_MS = 10_000;

interface Turns {
  /** Milliseconds after which the rest is left for the next time. Default: 10,000. */
  maxMs?: number;
  /** Rows of a full batch, after which there may be more. Default: `SWEEP_BATCH`. */
  full?: number;
}

/**
 * Runs one batch of each function in turn, until no function has a full batch any more. Each
 * function returns the number of its rows. Returns true then, and false if `maxMs` is over and a
 * function still had a full batch.
 *
 * @throws the first error of a function; no further batch runs.
 */
export async function inTurn(
  batches: readonly (() => Promise<number>)[],
  { maxMs = MAX_MS, full = SWEEP_BATCH }: Turns = {},
): Promise<boolean> {
  const end = performance.now() + maxMs;
  let behind = batches;
  do {
    const unfinished: (() => Promise<number>)[] = [];
    for (const doBatch of behind) if ((await doBatch()) >= full) unfinished.push(doBatch);
    behind = unfinished;
  } while (behind.length && performance.now() < end);
  return !behind.length;
}
