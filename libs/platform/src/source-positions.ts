import { originalPositionFor, traceSegment, TraceMap } from '@jridgewell/trace-mapping';
import { LRUCache } from 'lru-cache';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Maximum number of frames in the cache. A repeated error is looked up once. */
const MOST_REMEMBERED = 1_000;
/**
 * Maximum number of frames that are looked up in a stack trace with its causes. Node.js keeps ten
 * of each error.
 */
const MOST_FRAMES = 50;
const LONGEST_FRAME = 500;
/**
 * Maximum number of source maps in memory. The largest takes 14 MB, and some tenths of a second to
 * read.
 */
const MOST_MAPS = 8;
const KEPT_MS = 10_000;

/**
 * Matches a frame. A line of a message can look the same, so the number of frames in a stack trace
 * and of source maps in memory is limited.
 */
const FRAME = /^ {4,}at .+$/gm;
const PLACE = /(file:\/\/\/[^\s()]+?\.js):(\d+):(\d+)/;

const places = new LRUCache<string, string>({ max: MOST_REMEMBERED });
/** Removed after `KEPT_MS`, so that services without errors keep no source maps in memory. */
const maps = new LRUCache<string, TraceMap>({ max: MOST_MAPS, ttl: KEPT_MS, ttlAutopurge: true });
/** Files without a readable source map. */
const bare = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: KEPT_MS });

/**
 * Replaces in a stack trace the positions in bundled files by positions in the sources, if a source
 * map is beside the file. Other lines stay as they are.
 */
export function withSourcePositions(stack: string): string {
  let frames = 0;
  return stack.replace(FRAME, (frame) => {
    if (frame.length > LONGEST_FRAME || ++frames > MOST_FRAMES) return frame;
    return frame.replace(PLACE, (place, file: string, line: string, column: string) => {
      const source = places.get(place) ?? sourceOf(file, Number(line), Number(column));
      if (source === null) return place;
      places.set(place, source);
      return source;
    });
  });
}

function sourceOf(file: string, line: number, column: number): string | null {
  const map = mapOf(file);
  if (!map || line < 1 || column < 1) return null;
  const { source, line: at } = originalPositionFor(map, { line, column: column - 1 });
  return source ? `${source}:${at}` : null;
}

/**
 * Reads the source map of a bundled file. Null if there is none or it is malformed, and while
 * `MOST_MAPS` others are in memory.
 */
function mapOf(file: string): TraceMap | null {
  const known = maps.get(file);
  if (known || bare.has(file) || maps.size >= MOST_MAPS) return known ?? null;
  try {
    const path = `${fileURLToPath(file)}.map`;
    if (existsSync(path)) {
      const map = new TraceMap(readFileSync(path, 'utf8'));
      traceSegment(map, 0, 0); // decodes the source map now
      maps.set(file, map);
      return map;
    }
  } catch {
    // the stack trace is useful even without places in the sources
  }
  bare.set(file, true);
  return null;
}
