import { isUtf8 } from 'node:buffer';
import { AppError, ValidationFailed } from '../errors.js';

export interface JsonLimits {
  /** Maximum depth of lists and objects in each other. */
  depth: number;
  /** Maximum number of keys of all objects together. */
  keys: number;
  /**
   * Maximum number of values in all lists and objects together. An empty list or object counts as
   * one more.
   */
  values: number;
}

/** Counts up to the point where a limit was exceeded: the text can contain more of each. */
export type JsonCounts = JsonLimits;

/**
 * Counts nested levels, keys and values in one pass over the bytes, without building a value, and
 * stops above a limit. Outside of strings, JSON has a colon for each key, and a comma or an opening
 * bracket before each value. The counts mean nothing if the bytes are not JSON.
 */
export function scanJson(json: Uint8Array, limits: Partial<JsonLimits> = {}): JsonCounts {
  const { depth: maxDepth = Infinity, keys: maxKeys = Infinity, values: maxValues = Infinity } = limits;
  const { length } = json;
  let open = 0;
  let depth = 0;
  let keys = 0;
  let values = 0;
  for (let at = 0; at < length; at++) {
    switch (json[at]) {
      case QUOTE:
        while (++at < length && json[at] !== QUOTE) if (json[at] === BACKSLASH) at++;
        break;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        if (++open > depth && (depth = open) > maxDepth) return { depth, keys, values };
        if (++values > maxValues) return { depth, keys, values };
        break;
      case COMMA:
        if (++values > maxValues) return { depth, keys, values };
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        open--;
        break;
      case COLON:
        if (++keys > maxKeys) return { depth, keys, values };
        break;
      default:
    }
  }
  return { depth, keys, values };
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPENING_BRACE, CLOSING_BRACE, OPENING_BRACKET, CLOSING_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * True if lists and objects are nested deeper than `limit`, so that hostile JSON is refused before
 * a parser recurses into it.
 */
export const isDeeperThan = (json: Uint8Array, limit: number): boolean =>
  scanJson(json, { depth: limit }).depth > limit;

type Path = (string | number)[];

/**
 * Parses JSON in UTF-8. Accepts only text that all parsers read in the same way, and values that
 * can be stored and merged.
 *
 * @param loc place of the JSON in the request.
 * @throws ValidationFailed if the bytes are not JSON, exceed a limit, or contain a character that
 * PostgreSQL cannot store, a number beyond a double, or the key `__proto__` or `constructor`;
 * AppError 400 `byte_order_mark`; AppError 400 `duplicate_key` for a key that appears twice in one
 * object, which parsers read differently.
 */
export function readJson(json: Buffer, limits: JsonLimits, loc: Path = ['body']): unknown {
  if (startsWithByteOrderMark(json)) throw JsonErrors.byteOrderMark();
  if (!isUtf8(json)) throw JsonErrors.invalid(loc);
  const { depth, keys, values } = scanJson(json, limits);
  if (depth > limits.depth) throw JsonErrors.tooDeep(loc, limits.depth);
  if (keys > limits.keys) throw JsonErrors.tooManyKeys(loc, limits.keys);
  if (values > limits.values) throw JsonErrors.tooManyValues(loc, limits.values);
  const text = json.toString();
  const value = parsed(text, loc);
  const walk = new Walk();
  if (!walk.into(value) && walk.fault) throw walk.fault([...loc, ...walk.path]);
  // The parser keeps only one of two equal keys.
  if (walk.keys < keys) throw JsonErrors.duplicateKey([...loc, ...duplicateIn(text)]);
  return value;
}

const startsWithByteOrderMark = (json: Buffer): boolean => json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf;

function parsed(text: string, loc: Path): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw JsonErrors.invalid(loc);
  }
}

/** Counts the keys of a parsed value, and checks its texts and numbers up to the first fault. */
class Walk {
  keys = 0;
  fault: ((loc: Path) => ValidationFailed) | undefined;
  /** Path to the fault. */
  readonly path: Path = [];

  /**
   * Checks a value and everything in it. True if nothing is refused; otherwise `fault` and `path`
   * are set.
   */
  into(value: unknown): boolean {
    if (typeof value === 'string') return isStorable(value) || this.refuse(JsonErrors.notStorable);
    // `1e400` is parsed as infinity, which JSON cannot represent.
    if (typeof value === 'number') return Number.isFinite(value) || this.refuse(JsonErrors.notFinite);
    if (Array.isArray(value)) return value.every((item, at) => this.into(item) || this.refuseAt(at));
    return typeof value !== 'object' || value === null || this.intoRecord(value as Record<string, unknown>);
  }

  private intoRecord(record: Record<string, unknown>): boolean {
    return Object.keys(record).every((key) => {
      this.keys++;
      if (!isStorable(key)) return this.refuse(JsonErrors.notStorable);
      if (PROTOTYPE_KEYS.has(key)) this.refuse(JsonErrors.leadsToPrototype);
      else if (this.into(record[key])) return true;
      return this.refuseAt(key);
    });
  }

  private refuse(fault: (loc: Path) => ValidationFailed): false {
    this.fault = fault;
    return false;
  }

  private refuseAt(step: string | number): false {
    this.path.unshift(step);
    return false;
  }
}

/**
 * A merge of objects with the keys `__proto__` or `constructor` changes a prototype, and
 * class-transformer drops these keys silently.
 */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor']);

const LONE_SURROGATE = /\p{Surrogate}/u;
/**
 * True if PostgreSQL can store the text: it cannot store NUL, and a lone surrogate is not valid
 * UTF-8.
 */
const isStorable = (text: string): boolean => !text.includes('\0') && !LONE_SURROGATE.test(text);

interface Container {
  /** Keys of an object; null for a list. */
  keys: Set<string> | null;
  /** The current key or index. */
  at: string | number;
  /** True if the next string is a key. */
  awaitsKey: boolean;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g;

/**
 * Finds the path to the second occurrence of a key in one object; empty if no key appears twice.
 * The text must be valid JSON.
 */
function duplicateIn(text: string): Path {
  const open: Container[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const container = open.at(-1);
    if (token === '{') open.push({ keys: new Set(), at: '', awaitsKey: true });
    else if (token === '[') open.push({ keys: null, at: 0, awaitsKey: false });
    else if (token === '}' || token === ']') open.pop();
    else if (!container) continue;
    else if (token === ',') {
      if (container.keys) container.awaitsKey = true;
      else (container.at as number)++;
    } else if (container.keys && container.awaitsKey) {
      const key = JSON.parse(token) as string;
      container.at = key;
      container.awaitsKey = false;
      if (container.keys.has(key)) return open.map(({ at }) => at);
      container.keys.add(key);
    }
  }
  return [];
}

const issue = (loc: Path, msg: string, type: string) => new ValidationFailed([{ loc, msg, type }]);

export const JsonErrors = {
  invalid: (loc: Path) => issue(loc, 'JSON decode error', 'json_invalid'),
  tooDeep: (loc: Path, limit: number) => issue(loc, `JSON nested deeper than ${limit} levels`, 'json_too_deep'),
  tooManyKeys: (loc: Path, limit: number) => issue(loc, `JSON with more than ${limit} keys`, 'json_too_many_keys'),
  tooManyValues: (loc: Path, limit: number) =>
    issue(loc, `JSON with more than ${limit} values`, 'json_too_many_values'),
  notStorable: (loc: Path) => issue(loc, 'NUL characters and lone surrogates are not allowed', 'value_error'),
  notFinite: (loc: Path) => issue(loc, 'Input should be a finite number', 'finite_number'),
  leadsToPrototype: (loc: Path) => issue(loc, 'This key is not allowed', 'extra_forbidden'),
  byteOrderMark: () => new AppError(400, 'byte_order_mark', 'Send JSON without a byte order mark.'),
  duplicateKey: (loc: Path) =>
    new AppError(400, 'duplicate_key', 'The same key appears twice in one object.', { details: { loc } }),
};
