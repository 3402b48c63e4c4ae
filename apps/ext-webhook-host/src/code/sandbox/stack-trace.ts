import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import type { CodeModules } from '../protocol.js';
import { PRELUDE_FILE } from './prelude-source.js';

const MOST_LINES = 20;
const FRAME = /^\s*at (?:(.*?) )?\(?([\w-]+):(\d+)(?::(\d+))?\)?$/;

/** The frames in the app's own modules, at the places in the files that its developer wrote where a source map tells these. */
export function developersStack(stack: string, modules: CodeModules): string {
  const maps = new Map<string, TraceMap | null>();
  const mapOf = (name: string): TraceMap | null => {
    let map = maps.get(name);
    if (map === undefined) maps.set(name, (map = read(modules[name]?.source_map)));
    return map;
  };
  return stack
    .split('\n', 200)
    .filter((line) => line && !line.includes(PRELUDE_FILE) && !line.includes('(native)'))
    .slice(0, MOST_LINES)
    .map((line) => {
      const [, name, module, row, column] = FRAME.exec(line) ?? [];
      if (!module || !row || !Object.hasOwn(modules, module)) return line;
      return `    at ${name && name !== '<anonymous>' ? `${name} ` : ''}(${placeOf(mapOf(module), module, Number(row), Number(column ?? 1))})`;
    })
    .join('\n');
}

function placeOf(map: TraceMap | null, module: string, line: number, column: number): string {
  try {
    const found = map && originalPositionFor(map, { line, column: Math.max(column - 1, 0) });
    if (found?.source) return `${found.source}:${found.line}:${found.column + 1}`;
  } catch {
    // A map that is none leaves the place in the module.
  }
  return `${module}:${line}:${column}`;
}

function read(map: string | null | undefined): TraceMap | null {
  if (!map) return null;
  try {
    return new TraceMap(map);
  } catch {
    return null;
  }
}
