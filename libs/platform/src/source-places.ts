import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Of frames: an error that comes again and again is looked up once. */
const MOST_REMEMBERED = 1_000;
const FRAME = /(file:\/\/\/[^\s()]+?\.js):(\d+):(\d+)/g;

const places = new Map<string, string>();

/**
 * The stack trace with the lines of the sources, where it names those of a bundle. The map that lies beside a bundle is read when a frame of it
 * is met for the first time, and not kept: services that log no error pay nothing.
 */
export function withSourcePlaces(stack: string): string {
  return stack.replace(FRAME, (frame, file: string, line: string, column: string) => {
    let place = places.get(frame);
    if (place === undefined) {
      place = placeOf(file, Number(line), Number(column)) ?? frame;
      if (places.size >= MOST_REMEMBERED) places.clear();
      places.set(frame, place);
    }
    return place;
  });
}

function placeOf(file: string, line: number, column: number): string | null {
  try {
    const map = `${fileURLToPath(file)}.map`;
    if (!existsSync(map)) return null;
    const found = originalPositionFor(new TraceMap(readFileSync(map, 'utf8')), { line, column: column - 1 });
    return found.source === null ? null : `${found.source}:${found.line}`;
  } catch {
    return null; // a stack trace is worth more than its lines
  }
}
