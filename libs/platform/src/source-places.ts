import { originalPositionFor, traceSegment, TraceMap } from '@jridgewell/trace-mapping';
import { LRUCache } from 'lru-cache';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Of frames: an error that comes again and again is looked up once. */
const MOST_REMEMBERED = 1_000;
/** Of a stack trace, with those of its causes. Node.js keeps ten of each. */
const MOST_FRAMES = 50;
const LONGEST_FRAME = 500;
/** Of a service's chunks. The largest take 14 MB and some tenths of a second to read. */
const MOST_MAPS = 8;
const KEPT_MS = 10_000;

/** A message may have such a line, too: so it is limited what each stack trace and all of them together have read. */
const FRAME = /^ {4,}at .+$/gm;
const PLACE = /(file:\/\/\/[^\s()]+?\.js):(\d+):(\d+)/;

const places = new LRUCache<string, string>({ max: MOST_REMEMBERED });
/** Not for good: services that log no error pay nothing. */
const maps = new LRUCache<string, TraceMap>({ max: MOST_MAPS, ttl: KEPT_MS, ttlAutopurge: true });
/** Files without a map that can be read. */
const bare = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: KEPT_MS });

/** The stack trace with the lines of the sources, where it names those of a bundle beside which there is a map. */
export function withSourcePlaces(stack: string): string {
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

/** Null also while enough others are kept. */
function mapOf(file: string): TraceMap | null {
  const known = maps.get(file);
  if (known || bare.has(file) || maps.size >= MOST_MAPS) return known ?? null;
  try {
    const path = `${fileURLToPath(file)}.map`;
    if (existsSync(path)) {
      const map = new TraceMap(readFileSync(path, 'utf8'));
      traceSegment(map, 0, 0); // has it decoded
      maps.set(file, map);
      return map;
    }
  } catch {
    // a stack trace is worth more than its lines
  }
  bare.set(file, true);
  return null;
}
