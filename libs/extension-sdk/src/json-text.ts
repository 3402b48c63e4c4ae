import { ExtensionError } from './extension-error.js';

const MAX_DEPTH = 32;
/**
 * Longer keys are replaced in error messages. A cut key could show half of a secret, which
 * redaction would not recognise.
 */
const LONGEST_KEY = 60;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * True if PostgreSQL can store the text: it accepts no NUL, and no lone surrogate, which is not
 * valid UTF-8.
 */
export const isStorable = (text: string): boolean => !text.includes('\0') && !LONE_SURROGATE.test(text);

/**
 * Returns the JSON of a value, in a form that PostgreSQL can store. Undefined properties are
 * omitted.
 *
 * @throws ExtensionError JSON_INVALID with the place of a value that JSON does not have, of NUL, of
 * a lone surrogate, or of nesting deeper than 32 levels.
 */
export function jsonText(value: unknown): string {
  assertJson(value, '$', 1);
  return JSON.stringify(value);
}

/**
 * Returns the JSON of an object, in a form that PostgreSQL can store. Undefined properties are
 * omitted.
 *
 * @throws ExtensionError JSON_INVALID for a list or a single value, and with the place of a value
 * that JSON does not have, of NUL, of a lone surrogate, or of nesting deeper than 32 levels.
 */
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
