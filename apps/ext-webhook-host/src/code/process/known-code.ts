import type { CodeModules } from '../protocol.js';
import { kibibytesOf } from '../thread/transit.js';

const MOST = 64;
/** Every thread has them, in a heap that is not large. */
const MOST_KIBIBYTES = 24 * 1024;

/** What the other side still has of the modules it was sent. It keeps the latest, by an order that both sides can tell. */
export class KnownCode {
  /** With the size of each, in KiB. */
  private readonly sizes = new Map<string, number>();
  private kibibytes = 0;

  /** Whether the modules must be sent along, and which the other side shall forget. */
  send(hash: string, modules: CodeModules = {}): { isKnown: boolean; forget: string[] } {
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
  for (const { source, source_map } of Object.values(modules)) kibibytes += kibibytesOf(source) + kibibytesOf(source_map ?? '');
  return kibibytes;
}
