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
 * Reads a JSON body, or refuses it: 415 not JSON or compressed, 413 too large, 422 malformed, nested deeper than 32 levels, or
 * with a character that PostgreSQL cannot store. Limits go from the most special prefix to 1 MiB for the rest.
 */
export function jsonBody(limits: BodyLimit[]): RequestHandler {
  const parsers = [...limits, { prefix: '/', bytes: MEBIBYTE }].map(({ prefix, bytes }) => ({ prefix, parse: parser(bytes) }));
  return (request: Request, response: Response, next: NextFunction) => {
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
    const { parse } = parsers.find(({ prefix }) => request.path.startsWith(prefix)) as { parse: RequestHandler };
    void parse(request, response, (error?: unknown) => {
      if (error) next(refusal(error));
      else next(unstorableIn(request.body, ['body']));
    });
  };
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function parser(bytes: number): RequestHandler {
  return express.json({
    limit: bytes,
    inflate: false,
    type: () => true,
    verify: (_request, _response, buffer) => {
      if (deeperThan(buffer, MAX_DEPTH)) {
        throw new ValidationFailed([{ loc: ['body'], msg: `JSON nested deeper than ${MAX_DEPTH} levels`, type: 'json_too_deep' }]);
      }
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

/** PostgreSQL stores no NUL, and a lone surrogate is no UTF-8: both are refused here, wherever they stand. */
function unstorableIn(value: unknown, loc: (string | number)[]): ValidationFailed | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : notStorable(loc);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (!isStorable(key)) return notStorable(loc);
    const found = unstorableIn(item, [...loc, Array.isArray(value) ? Number(key) : key]);
    if (found) return found;
  }
  return undefined;
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const isStorable = (text: string): boolean => !text.includes('\0') && !LONE_SURROGATE.test(text);

const notStorable = (loc: (string | number)[]) =>
  new ValidationFailed([{ loc, msg: 'NUL characters and lone surrogates are not allowed', type: 'value_error' }]);

/** body-parser marks its errors with a `type`: https://github.com/expressjs/body-parser#errors */
function refusal(error: unknown): Error {
  if (error instanceof ValidationFailed) return error;
  const { type } = error as { type?: string };
  switch (type) {
    case 'entity.parse.failed':
      return new ValidationFailed([{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }]);
    case 'entity.too.large':
      return new AppError(413, 'payload_too_large', 'The request body is too large.');
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
