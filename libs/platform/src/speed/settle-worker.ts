import { releaseGarbage } from './collect-garbage.js';
import { releaseYoungGeneration } from './young-generation.js';

/** Milliseconds in which a worker connects to its queues once it has started, which takes some 10 MB for a moment. */
const CONNECTING_MS = 2_000;

/**
 * Ends the start of a worker: memory that only the start needed goes back to the operating system, now and once its queues are connected. The
 * gateway's worker then holds 147 MB instead of 171 (docs/images.md). A service does without: its first requests would wait.
 */
export function settleWorker(): void {
  releaseGarbage();
  setTimeout(() => {
    releaseGarbage();
    releaseYoungGeneration();
  }, CONNECTING_MS).unref();
}
