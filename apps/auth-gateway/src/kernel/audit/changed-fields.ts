import { isDeepStrictEqual } from 'node:util';

interface Change<T> {
  before: Partial<T>;
  after: Partial<T>;
}

/**
 * Returns the fields of `after` with a value that differs from `before`, with both values. Fields
 * that only `before` has do not count. Null if nothing differs.
 */
export function findChangedFields<T extends object>(before: T, after: T): Change<T> | null {
  const keys = (Object.keys(after) as (keyof T)[]).filter((key) => !isDeepStrictEqual(before[key], after[key]));
  if (!keys.length) return null;
  const only = (values: T) => Object.fromEntries(keys.map((key) => [key, values[key]])) as Partial<T>;
  return { before: only(before), after: only(after) };
}
