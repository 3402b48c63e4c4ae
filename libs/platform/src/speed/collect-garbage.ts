import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Runs a full garbage collection, which takes 30 to 60 ms during the start of a service.
 *
 * V8 would run the first one much later, and does not soon return memory of a heap that has grown.
 * Loading the modules of the gateway leaves about 9 MB of garbage, and the rest of the start reuses
 * this memory: 147 MB instead of 154 (docs/decisions/0007-bench-bars.md).
 */
export function collectGarbage(): void {
  collector()();
}

/**
 * Runs a full garbage collection that also compacts the heap and returns free pages to the
 * operating system, which takes 150 to 250 ms. After the start of the gateway's worker it returns
 * 23 MB, which V8 would keep as long as the worker has little to do. Node.js 20 does not have this
 * collection: there, only the young generation is collected.
 */
export function releaseGarbage(): void {
  collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** V8's `gc`, with the options of Node.js 24. */
type Collector = (options?: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

function collector(): Collector {
  setFlagsFromString('--expose-gc');
  // The flag applies to contexts that are created after it, not to this one.
  const collect = runInNewContext('gc') as Collector;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
