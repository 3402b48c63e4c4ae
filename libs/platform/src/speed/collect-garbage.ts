import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * A full garbage collection, now; takes 30 to 60 ms while a service starts.
 *
 * V8 would make the first one far later, and a heap that has grown is not given back soon. What loading the modules of the gateway left is about 9 MB; what
 * starts after them takes its place: 147 MB instead of 154 (docs/decisions/0007-bench-bars.md).
 */
export function collectGarbage(): void {
  collector()();
}

/**
 * A full garbage collection that also compacts the heap and returns its free pages to the operating system; takes 150 to 250 ms. After the
 * start of the gateway's worker it returns 23 MB, which V8 would keep for as long as the worker has little to do. Node.js 20 has no such collection: there
 * it collects the young generation only.
 */
export function releaseGarbage(): void {
  collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** V8's `gc`, as Node.js 24 has it. */
type Collector = (options?: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

function collector(): Collector {
  setFlagsFromString('--expose-gc');
  // The flag holds for contexts that are made from now on, not for this one.
  const collect = runInNewContext('gc') as Collector;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
