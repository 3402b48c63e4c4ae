import { type JsonObject, type JsonValue } from './document.js';
import { quote, within, type IssueList } from './issues.js';
import { LIMITS } from './limits.js';

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Copies a JSON value. Undefined, with issues, if it cannot be stored and hashed: it is not plain
 * data, deeper or larger than allowed, contains a NUL or half a surrogate pair in a text, or
 * contains the key `__proto__`.
 */
export function copyOfJson(value: unknown, issues: IssueList): JsonValue | undefined {
  const before = issues.count;
  try {
    new JsonCheck(issues).check(value);
    if (issues.count > before) return undefined;
    const json = JSON.stringify(value);
    if (Buffer.byteLength(json) > LIMITS.documentBytes) throw new TooLarge();
    return JSON.parse(json) as JsonValue;
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    issues.add('', 'document_size', `The document is larger than ${LIMITS.documentBytes / 1024} KiB.`);
    return undefined;
  }
}

class JsonCheck {
  private readonly path: (string | number)[] = [];
  private characters = 0;

  constructor(private readonly issues: IssueList) {}

  check(value: unknown): void {
    // Each value takes at least one character of JSON, so this also bounds the number of values.
    if (++this.characters > LIMITS.documentBytes) throw new TooLarge();
    if (typeof value === 'string') this.checkText(value);
    else if (typeof value === 'number') this.checkNumber(value);
    else if (typeof value === 'object' && value !== null) this.checkObject(value);
    else if (typeof value !== 'boolean' && value !== null) this.refuse(`This is not JSON, but ${typeof value}.`);
  }

  private checkText(text: string): void {
    this.characters += text.length;
    if (!isStorable(text))
      this.refuse('This text contains a NUL character or half a surrogate pair, which cannot be stored.');
  }

  private checkNumber(number: number): void {
    if (!Number.isFinite(number)) this.refuse('This number is too large.');
  }

  private checkObject(object: object): void {
    if (this.path.length >= LIMITS.jsonDepth)
      this.refuse(`The JSON is nested deeper than ${LIMITS.jsonDepth} levels here.`);
    else if (Array.isArray(object)) for (let at = 0; at < object.length; at++) this.checkAt(at, object[at]);
    else if (!isPlain(object)) this.refuse('This is not JSON, but an object of a class.');
    else {
      for (const key of Object.keys(object)) this.checkAt(key, (object as Record<string, unknown>)[key]);
    }
  }

  private checkAt(key: string | number, value: unknown): void {
    this.path.push(key);
    if (typeof key === 'string') this.checkText(key);
    if (key === '__proto__') this.refuse(`The key ${quote(key)} is not allowed.`);
    else this.check(value);
    this.path.pop();
  }

  private refuse(message: string): void {
    this.issues.add(within('', ...this.path), 'json', message);
  }
}

export const isStorable = (text: string): boolean => !text.includes('\0') && !LONE_SURROGATE.test(text);

class TooLarge extends Error {}

/** True for an object from a literal, from `JSON.parse` or without a prototype, in any realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is a text; otherwise an empty text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Name of the type of a value, for a message: `a list`. */
export function nameOfType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return { string: 'a text', number: 'a number', boolean: 'true or false' }[typeof value as string] ?? 'an object';
}
