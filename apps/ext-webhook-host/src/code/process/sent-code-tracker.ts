import type { CodeModules } from '../protocol.js';
import { kibibytesOf } from '../thread/transit-budget.js';

const MOST = 64;
/** Every thread has the modules in its heap, which is not large. */
const MOST_KIBIBYTES = 24 * 1024;

/**
 * Tracks the modules that the other side has received and still keeps: the most recently used ones.
 */
export class SentCodeTracker {
  /** KiB of the modules, by hash. */
  private readonly sizes = new Map<string, number>();
  private kibibytes = 0;

  /**
   * Records that a run with these modules is sent. `isKnown` is false if the modules must be sent
   * along, because the other side does not have them. `forget` has the hashes of the modules that
   * the other side must drop: the least recently used versions above 64, or above 24 MiB together.
   */
  recordSent(hash: string, modules: CodeModules = {}): { isKnown: boolean; forget: string[] } {
    const known = this.sizes.get(hash);
    const size = known ?? sizeOf(modules);
    this.sizes.delete(hash);
    this.sizes.set(hash, size);
    if (known === undefined) this.kibibytes += size;
    const forget: string[] = [];
    for (const [old, oldSize] of this.sizes) {
      if (old === hash || (this.sizes.size <= MOST && this.kibibytes <= MOST_KIBIBYTES)) break;
      this.sizes.delete(old);
      this.kibibytes -= oldSize;
      forget.push(old);
    }
    return { isKnown: known !== undefined, forget };
  }
}

function sizeOf(modules: CodeModules): number {
  let kibibytes = 0;
  for (const { source, source_map } of Object.values(modules))
    kibibytes += kibibytesOf(source) + kibibytesOf(source_map ?? '');
  return kibibytes;
}
