import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { AppError, ValidationFailed } from '../errors.js';

const MAX_DEPTH = 32;
const MEBIBYTE = 1024 * 1024;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export interface BodyLimit {
  /** The paths it applies to, as a prefix. */
  prefix: string;
  bytes: number;
}

/**
 * Reads a JSON body, or refuses it: 415 not JSON or compressed, 413 too large, 422 malformed, nested deeper than 32 levels, with
 * a character that PostgreSQL cannot store, or with a key that would reach an object's prototype. Limits go from the most special prefix to
 * 1 MiB for the rest. Paths that begin with one of `unread` are left to their routes, which read the bytes themselves.
 */
export function jsonBody(limits: BodyLimit[], unread: string[] = []): RequestHandler {
  const parsers = [...limits, { prefix: '/', bytes: MEBIBYTE }].map(({ prefix, bytes }) => ({
    prefix: prefix.toLowerCase(),
    bytes,
    parse: parser(bytes),
  }));
  return (request: Request, response: Response, next: NextFunction) => {
    // Routes match in any case, so prefixes must too.
    const path = request.path.toLowerCase();
    if (unread.some((prefix) => path.startsWith(prefix))) {
      next();
      return;
    }
    const unstorable = /%00/.exec(request.originalUrl);
    if (unstorable) {
      const inQuery = request.originalUrl.indexOf('?') >= 0 && unstorable.index > request.originalUrl.indexOf('?');
      next(notStorable([inQuery ? 'query' : 'path']));
      return;
    }
    if (!METHODS_WITH_BODY.has(request.method) || !hasBody(request)) {
      next();
      return;
    }
    if (!request.is(['application/json', '+json'])) {
      next(new AppError(415, 'unsupported_media_type', 'Send the body as application/json.'));
      return;
    }
    const { parse, bytes } = parsers.find(({ prefix }) => path.startsWith(prefix)) as (typeof parsers)[number];
    // The parser would read all of it before it refuses.
    if (Number(request.headers['content-length'] ?? 0) > bytes) {
      next(tooLarge());
      return;
    }
    void parse(request, response, (error?: unknown) => {
      if (error) next(refusal(error));
      else next(refusedIn(request.body, ['body']));
    });
  };
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

const TOO_DEEP = 'json.too.deep';

function parser(bytes: number): RequestHandler {
  return express.json({
    limit: bytes,
    inflate: false,
    type: () => true,
    // What is thrown here comes back as a 403 with the same `type`, hence no error of ours.
    verify: (_request, _response, buffer, charset) => {
      // JSON between systems is UTF-8 (RFC 8259 section 8.1); in another charset the scan below would miss brackets.
      if (charset !== 'utf-8') throw Object.assign(new Error(charset), { type: 'charset.unsupported' });
      if (deeperThan(buffer, MAX_DEPTH)) throw Object.assign(new Error('too deep'), { type: TOO_DEEP });
    },
  }) as RequestHandler;
}

/** Counts brackets outside of strings, so that a hostile body is refused before the parser recurses into it. */
export function deeperThan(json: Buffer, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inString) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limit) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

/**
 * PostgreSQL stores no NUL, and a lone surrogate is no UTF-8. `__proto__` and `constructor` lead to a prototype wherever objects are
 * merged, and class-transformer drops them without a word. All are refused here, wherever they stand.
 */
function refusedIn(value: unknown, loc: (string | number)[]): ValidationFailed | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : notStorable(loc);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (!isStorable(key)) return notStorable(loc);
    if (PROTOTYPE_KEYS.has(key)) return leadsToPrototype([...loc, key]);
    const found = refusedIn(item, [...loc, Array.isArray(value) ? Number(key) : key]);
    if (found) return found;
  }
  return undefined;
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const isStorable = (text: string): boolean => !text.includes('\0') && !LONE_SURROGATE.test(text);

const notStorable = (loc: (string | number)[]) =>
  new ValidationFailed([{ loc, msg: 'NUL characters and lone surrogates are not allowed', type: 'value_error' }]);

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor']);

const leadsToPrototype = (loc: (string | number)[]) =>
  new ValidationFailed([{ loc, msg: 'This key is not allowed', type: 'extra_forbidden' }]);

const tooLarge = () => new AppError(413, 'payload_too_large', 'The request body is too large.');

/** body-parser marks its errors with a `type`: https://github.com/expressjs/body-parser#errors */
function refusal(error: unknown): Error {
  const { type } = error as { type?: string };
  switch (type) {
    case 'entity.parse.failed':
      return new ValidationFailed([{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }]);
    case TOO_DEEP:
      return new ValidationFailed([{ loc: ['body'], msg: `JSON nested deeper than ${MAX_DEPTH} levels`, type: 'json_too_deep' }]);
    case 'entity.too.large':
      return tooLarge();
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new AppError(415, 'unsupported_media_type', 'Send the body uncompressed, as UTF-8 JSON.');
    case 'request.aborted':
    case 'request.size.invalid':
      return new AppError(400, 'malformed_request', 'The request body did not arrive whole.');
    default:
      return error as Error;
  }
}
