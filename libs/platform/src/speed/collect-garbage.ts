import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * A full garbage collection, now; takes 30 to 60 ms while a service starts.
 *
 * V8 would make the first one far later, and a heap that has grown is not given back soon. What loading the modules of the gateway left is about 9 MB; what
 * starts after them takes its place: 147 MB instead of 154 (docs/decisions/0007-bench-bars.md).
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  // The flag holds for contexts that are made from now on, not for this one.
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}
