import { SWEEP_BATCH } from './expired-rows.js';

const MAX_MS = 10_000;

interface Turns {
  /** When this has passed, the rest is for the next time. */
  maxMs?: number;
  /** How many rows a batch takes when there may be more. */
  full?: number;
}

/**
 * Does a batch of each, in turn, until none has a full one any more. Each does one batch when it is called, and returns how many rows that took.
 * False when there is more to do than time.
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
