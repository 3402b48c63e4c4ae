import { ExtensionError } from './extension-error.js';

const MAX_DEPTH = 32;
/** A longer key is named as a whole or not at all: half of a secret would not be known for one. */
const LONGEST_KEY = 60;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether PostgreSQL can store this text: it takes no NUL, and a lone surrogate is no UTF-8. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !LONE_SURROGATE.test(text);

/**
 * A value as JSON that PostgreSQL can store. Properties that are undefined are left out.
 *
 * @throws ExtensionError JSON_INVALID that names the place: what JSON cannot say, NUL, lone surrogates, or more than 32 levels.
 */
export function jsonText(value: unknown): string {
  assertJson(value, '$', 1);
  return JSON.stringify(value);
}

/** The same for what must be an object and not a list or a single value. */
export function jsonObjectText(value: unknown): string {
  if (!isPlainObject(value)) throw invalid('$', 'must be an object');
  return jsonText(value);
}

function assertJson(value: unknown, at: string, depth: number): void {
  switch (typeof value) {
    case 'boolean':
      return;
    case 'number':
      if (!Number.isFinite(value)) throw invalid(at, 'is not a finite number');
      return;
    case 'string':
      if (!isStorable(value)) throw invalid(at, 'has a NUL character or a lone surrogate');
      return;
    case 'object':
      break;
    default:
      throw invalid(at, `is ${typeof value}, which JSON does not have`);
  }
  if (value === null) return;
  if (depth > MAX_DEPTH) throw invalid(at, `is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    value.forEach((item, index) => assertJson(item, `${at}[${index}]`, depth + 1));
    return;
  }
  if (!isPlainObject(value)) throw invalid(at, 'is not a plain object');
  for (const [key, item] of Object.entries(value)) {
    if (!isStorable(key)) throw invalid(at, 'has a key with a NUL character or a lone surrogate');
    if (item !== undefined) assertJson(item, `${at}.${key.length > LONGEST_KEY ? '…' : key}`, depth + 1);
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const invalid = (at: string, why: string) => new ExtensionError('JSON_INVALID', `The value at ${at} ${why}.`);
