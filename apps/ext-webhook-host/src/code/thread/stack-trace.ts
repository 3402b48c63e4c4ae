import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import type { CodeModules } from '../protocol.js';
import { PRELUDE_FILE } from './prelude-constants.js';

/** More lines only repeat the frames of an endless recursion. */
const MOST_LINES = 200;
const FRAME = /^\s*at (?:(.*?) )?\(?([\w-]+):(\d+)(?::(\d+))?\)?$/;

/**
 * Rewrites a stack trace for the developer of the app: without the frames of the platform and the
 * engine, and with the positions in the files that the developer wrote if there is a source map.
 * `isCut` is true if it has more than 200 lines; further ones are left out.
 */
export function developerStackTrace(stack: string, modules: CodeModules): { text: string; isCut: boolean } {
  const maps = new Map<string, TraceMap | null>();
  const mapOf = (name: string): TraceMap | null => {
    let map = maps.get(name);
    if (map === undefined) maps.set(name, (map = read(modules[name]?.source_map)));
    return map;
  };
  const lines = stack.split('\n', MOST_LINES + 1);
  const text = lines
    .slice(0, MOST_LINES)
    .filter((line) => line && !line.includes(PRELUDE_FILE) && !line.includes('(native)'))
    .map((line) => {
      const [, name, module, row, column] = FRAME.exec(line) ?? [];
      if (!module || !row || !Object.hasOwn(modules, module)) return line;
      return `    at ${name && name !== '<anonymous>' ? `${name} ` : ''}(${placeOf(mapOf(module), module, Number(row), Number(column ?? 1))})`;
    })
    .join('\n');
  return { text, isCut: lines.length > MOST_LINES };
}

function placeOf(map: TraceMap | null, module: string, line: number, column: number): string {
  try {
    const found = map && originalPositionFor(map, { line, column: Math.max(column - 1, 0) });
    if (found?.source) return `${found.source}:${found.line}:${found.column + 1}`;
  } catch {
    // An invalid source map leaves the position in the module.
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
