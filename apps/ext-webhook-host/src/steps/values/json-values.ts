import type { JsonValue } from '@platform/app-document';

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
