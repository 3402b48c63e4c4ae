import { throughput } from '../load/throughput.js';

/**
 * Message of the bench to a baseline's process: run this many pieces of work at once for this time.
 * The process answers with the rate.
 */
export interface Slice {
  concurrency: number;
  milliseconds: number;
}

/**
 * Turns this process into a baseline: it runs `work` for each slice that the bench requests, and
 * ends with the bench.
 */
export function serve(work: () => Promise<unknown>): void {
  process.on('message', ({ concurrency, milliseconds }: Slice) => {
    void throughput(concurrency, milliseconds, work).then((rate) => process.send?.({ rate }));
  });
  process.once('disconnect', () => process.exit());
}
