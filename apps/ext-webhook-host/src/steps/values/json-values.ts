import type { JsonValue } from '@platform/app-document';
import { StepErrors } from './steps.errors.js';

const MAX_DEPTH = 64;

/** Some characters and never fewer than a value costs to go through. Does not go deeper than 64 levels. */
export function sizeOf(value: JsonValue | undefined, depth = 0): number {
  if (typeof value === 'string') return value.length + 8;
  if (typeof value !== 'object' || value === null) return 8;
  if (depth >= MAX_DEPTH) throw StepErrors.tooDeep(MAX_DEPTH);
  let size = 8;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item, depth + 1);
  else for (const key of Object.keys(value)) size += key.length + 8 + sizeOf(value[key], depth + 1);
  return size;
}

const INDEX = /^(0|[1-9]\d{0,8})$/;

/** A field of a map or an item of a list that is its own; nothing that objects inherit, and nothing of texts. */
export function ownValue(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return INDEX.test(key) ? value[Number(key)] : undefined;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** As it stands in a text: nothing for what is missing or null, lists and maps as JSON. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export const isNothing = (value: JsonValue | undefined): value is undefined | null | '' =>
  value === undefined || value === null || value === '';

export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
