import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../errors.js';
import { JsonErrors, readJson } from './json.js';

const MAX_DEPTH = 32;
const MEBIBYTE = 1024 * 1024;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export interface BodyLimit {
  /** The paths it applies to, as a prefix. */
  prefix: string;
  bytes: number;
  /** In all objects of the body together. */
  keys?: number;
}

/**
 * Reads a JSON body, or refuses it: 415 not JSON or compressed, 413 too large, 400 with a byte order mark or with a key that stands twice,
 * 422 malformed, nested deeper than 32 levels, with more keys than the limit, with a character that PostgreSQL cannot store, or with a key
 * that would reach an object's prototype. Limits go from the most special prefix to 1 MiB for the rest. Paths that begin with one of
 * `unread` are left to their routes, which read the bytes themselves.
 */
export function jsonBody(limits: BodyLimit[], unread: string[] = []): RequestHandler {
  const readers = [...limits, { prefix: '/', bytes: MEBIBYTE }].map((limit) => ({ ...limit, read: reader(limit) }));
  return (request: Request, response: Response, next: NextFunction) => {
    const { path } = request;
    if (unread.some((prefix) => path.startsWith(prefix))) {
      next();
      return;
    }
    const unstorable = /%00/.exec(request.originalUrl);
    if (unstorable) {
      const inQuery = request.originalUrl.indexOf('?') >= 0 && unstorable.index > request.originalUrl.indexOf('?');
      next(JsonErrors.notStorable([inQuery ? 'query' : 'path']));
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
    // JSON between systems is UTF-8 (RFC 8259 section 8.1), and is read as nothing else.
    if (!/^utf-?8$/i.test(CHARSET.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8')) {
      next(notPlain());
      return;
    }
    const { read, bytes } = readers.find(({ prefix }) => path.startsWith(prefix)) as (typeof readers)[number];
    // The reader would read all of it before it refuses.
    if (Number(request.headers['content-length'] ?? 0) > bytes) {
      next(tooLarge());
      return;
    }
    read(request, response, next);
  };
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function reader({ bytes, keys = Infinity }: BodyLimit): RequestHandler {
  const receive = express.raw({ limit: bytes, inflate: false, type: () => true }) as RequestHandler;
  return (request, response, next) => {
    void receive(request, response, (error?: unknown) => {
      if (error) next(refusal(error));
      else next(parse(request, keys));
    });
  };
}

/** Makes the bytes of the body what they say; returns why it does not. */
function parse(request: Request, keys: number): unknown {
  const bytes = request.body as Buffer | undefined;
  try {
    const value = bytes?.length ? readJson(bytes, { depth: MAX_DEPTH, keys }) : {};
    if (typeof value !== 'object' || value === null) throw JsonErrors.invalid(['body']);
    request.body = value;
    return undefined;
  } catch (refused) {
    return refused;
  }
}

const tooLarge = () => new AppError(413, 'payload_too_large', 'The request body is too large.');
const notPlain = () => new AppError(415, 'unsupported_media_type', 'Send the body uncompressed, as UTF-8 JSON.');

/** body-parser marks its errors with a `type`: https://github.com/expressjs/body-parser#errors */
function refusal(error: unknown): Error {
  const { type } = error as { type?: string };
  switch (type) {
    case 'entity.too.large':
      return tooLarge();
    case 'encoding.unsupported':
      return notPlain();
    case 'request.aborted':
    case 'request.size.invalid':
      return new AppError(400, 'malformed_request', 'The request body did not arrive whole.');
    default:
      return error as Error;
  }
}
