// What a stack trace needs of a source map: one place for each line of the sources. The whole of a gateway's takes ten times the memory to read.
import { decodedMappings, encodedMap, TraceMap } from '@jridgewell/trace-mapping';

/**
 * @param {string} json the map of a file in the folder `folder`
 * @param {(source: string) => string} nameOf what a source is called in stack traces, of how the map calls it
 * @returns {string}
 */
export function thinMap(json, nameOf) {
  const map = new TraceMap(json);
  const mappings = decodedMappings(map).map((line) => {
    /** @type {[number, number, number, number][]} */
    const kept = [];
    for (const segment of line) {
      if (segment.length === 1) continue; // of what esbuild itself wrote
      const [column, source, row] = segment;
      const last = kept.at(-1);
      if (last?.[1] !== source || last[2] !== row) kept.push([column, source, row, 0]);
    }
    return kept;
  });
  const sources = map.sources.map((source) => nameOf(source ?? ''));
  return JSON.stringify(encodedMap(new TraceMap({ version: 3, sources, names: [], mappings })));
}
