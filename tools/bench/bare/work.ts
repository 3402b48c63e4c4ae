import { throughput } from '../load/throughput.js';

/** What the bench sends to a baseline's process: keep so many pieces of work running for so long. It gets the rate back. */
export interface Slice {
  concurrency: number;
  milliseconds: number;
}

/** Turns this process into a baseline: does `work` whenever the bench asks for a slice of it, and ends with the bench. */
export function serve(work: () => Promise<unknown>): void {
  process.on('message', ({ concurrency, milliseconds }: Slice) => {
    void throughput(concurrency, milliseconds, work).then((rate) => process.send?.({ rate }));
  });
  process.once('disconnect', () => process.exit());
}
