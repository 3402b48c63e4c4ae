import type { JsonValue } from '@platform/app-document';
import { RunErrors } from './run-errors.js';

const MAX_DEPTH = 64;

/**
 * Approximate size of a value in characters, at least 8 for each value in it, since each takes time
 * to process.
 *
 * @throws ExtensionError BUDGET_EXCEEDED if nested deeper than 64 levels.
 */
export function jsonSize(value: JsonValue | undefined, depth = 0): number {
  if (typeof value === 'string') return value.length + 8;
  if (typeof value !== 'object' || value === null) return 8;
  if (depth >= MAX_DEPTH) throw RunErrors.nestedTooDeep(MAX_DEPTH);
  let size = 8;
  if (Array.isArray(value)) for (const item of value) size += jsonSize(item, depth + 1);
  else for (const key of Object.keys(value)) size += key.length + 8 + jsonSize(value[key], depth + 1);
  return size;
}

export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
