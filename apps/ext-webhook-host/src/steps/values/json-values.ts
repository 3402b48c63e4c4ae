import type { JsonValue } from '@platform/app-document';

const INDEX = /^(0|[1-9]\d{0,8})$/;

/** Own field of a map, or item of a list. Undefined for inherited properties, and for texts. */
export function ownValue(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return INDEX.test(key) ? value[Number(key)] : undefined;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Text of a value in a template: empty for undefined and null, JSON for lists and maps. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export const isNothing = (value: JsonValue | undefined): value is undefined | null | '' =>
  value === undefined || value === null || value === '';
