import { SWEEP_BATCH } from './expired-rows.js';

const MAX_MS = 10_000;

interface Turns {
  /** Milliseconds after which the rest is left for the next time. Default: 10,000. */
  maxMs?: number;
  /** Rows of a full batch, after which there may be more. Default: `SWEEP_BATCH`. */
  full?: number;
}

/**
 * Runs one batch of each function in turn. Each function returns the number of its rows, and has
 * another turn only if the batch was full (`full` rows or more). Returns true when no batch was
 * full any more, and false if, at the end of a round, `maxMs` is over and a batch was still full.
 *
 * @throws the first error of a function; no further batch runs.
 */
export async function runInTurn(
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
