// Reduces a source map to one position for each source line, enough for stack traces. Reading a
// gateway's full map takes ten times the memory.
import { decodedMappings, encodedMap, TraceMap } from '@jridgewell/trace-mapping';

/**
 * @param {string} json the source map
 * @param {(source: string) => string} nameOf returns the name for stack traces of a source in the
 *   map
 * @returns {string}
 */
export function thinMap(json, nameOf) {
  const map = new TraceMap(json);
  const mappings = decodedMappings(map).map((line) => {
    /** @type {[number, number, number, number][]} */
    const kept = [];
    for (const segment of line) {
      if (segment.length === 1) continue; // code that esbuild itself wrote
      const [column, source, row] = segment;
      const last = kept.at(-1);
      if (last?.[1] !== source || last[2] !== row) kept.push([column, source, row, 0]);
    }
    return kept;
  });
  const sources = map.sources.map((source) => nameOf(source ?? ''));
  return JSON.stringify(encodedMap(new TraceMap({ version: 3, sources, names: [], mappings })));
}
