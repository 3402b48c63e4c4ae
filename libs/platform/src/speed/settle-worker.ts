import { releaseGarbage } from './collect-garbage.js';
import { releaseYoungGeneration } from './young-generation.js';

/**
 * Milliseconds in which a started worker connects to its queues. That takes about 10 MB for a
 * moment.
 */
const CONNECTING_MS = 2_000;

/**
 * Ends the start of a worker: memory that only the start needed is returned to the operating
 * system, now and again after the queues are connected. The gateway's worker then takes 147 MB
 * instead of 171 (docs/images.md). A service does not do this, because its first requests would
 * wait.
 */
export function settleWorker(): void {
  releaseGarbage();
  setTimeout(() => {
    releaseGarbage();
    releaseYoungGeneration();
  }, CONNECTING_MS).unref();
}
