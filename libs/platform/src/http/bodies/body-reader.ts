import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../errors.js';
import { currentContext } from '../../request-context.js';
import { JsonErrors, readJson, type JsonLimits } from '../json.js';
import { BodyErrors } from './body-errors.js';
import { BoundedBodies } from './bounded-bodies.js';
import { clientBucket } from './client-bucket.js';

const MAX_DEPTH = 32;
const MAX_KEYS = 1_000;
const MAX_VALUES = 10_000;
const MEBIBYTE = 1024 * 1024;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export interface BodyLimit {
  /** The paths it applies to, as a prefix. */
  prefix: string;
  bytes: number;
  /** In all objects of the body together; 1000 unless told. */
  keys?: number;
  /** In all lists and objects of the body together; 10,000 unless told. */
  values?: number;
}

/**
 * Memory for the JSON bodies of all requests of a process. One sender, a user or the address of a request without a credential, gets a quarter of it, so that nobody's
 * uploads refuse those of all others.
 */
const TOTAL_BYTES = 64 * MEBIBYTE;
const SHARE_BYTES = TOTAL_BYTES / 4;
const MEMORY = { total: TOTAL_BYTES, perApp: TOTAL_BYTES, perSender: SHARE_BYTES, perSenderToApp: SHARE_BYTES };

const REST: BodyLimit = { prefix: '/', bytes: MEBIBYTE };

/**
 * Reads a JSON body, or refuses it: 415 not JSON or compressed, 413 too large, 400 with a byte order mark or with a key that stands twice,
 * 422 malformed, nested deeper than 32 levels, with more keys or values than the limits, with a character that PostgreSQL cannot store, or
 * with a key that would reach an object's prototype; 408 too slow; 503 while bodies of the sender, or of all, take the memory that there is for them. Limits go from the most special prefix to 1 MiB, 1000 keys and 10,000 values for the
 * rest. Paths that begin with one of `unread` are left to their routes, which read the bytes themselves.
 */
export class BodyReader {
  private readonly bodies: BoundedBodies;

  constructor(
    private readonly limits: readonly BodyLimit[],
    private readonly unread: readonly string[] = [],
  ) {
    const bytes = Math.max(...[REST, ...limits].map((limit) => limit.bytes));
    this.bodies = new BoundedBodies({ bytes, small: MEMORY, large: MEMORY });
  }

  async read(request: Request): Promise<void> {
    const { path } = request;
    if (request.body !== undefined || this.unread.some((prefix) => path.startsWith(prefix))) return;
    assertStorable(request.originalUrl);
    if (!METHODS_WITH_BODY.has(request.method) || !hasBody(request)) return;
    if (!request.is(['application/json', '+json'])) {
      throw new AppError(415, 'unsupported_media_type', 'Send the body as application/json.');
    }
    // JSON between systems is UTF-8 (RFC 8259 section 8.1), and is read as nothing else.
    if (!/^utf-?8$/i.test(CHARSET.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8')) throw notPlain();
    const { bytes, keys = MAX_KEYS, values = MAX_VALUES } = this.limits.find(({ prefix }) => path.startsWith(prefix)) ?? REST;
    // The reader would read all of it before it refuses.
    if (Number(request.headers['content-length'] ?? 0) > bytes) throw BodyErrors.tooLarge();
    if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) throw notPlain();
    const { body, release } = await this.bodies.receive({ app: '', sender: senderOf(request) }, request, bytes);
    // The parsed body is held as long as the request is worked on.
    const { res: response } = request;
    if (!response || response.closed) release();
    else response.once('close', release);
    request.body = parse(body, { depth: MAX_DEPTH, keys, values });
  }
}

/** All API keys of a user are one sender. A trusted backend sends the bodies of many people: each of its requests counts for itself. */
export function senderOf(request: Pick<Request, 'ip'>): string {
  const context = currentContext();
  const caller = context?.caller;
  if (context && caller?.startsWith('service:')) return `${caller} ${context.requestId}`;
  return caller?.split('/')[0] ?? clientBucket(request.ip);
}

/** Of an Express application: the setting that holds its `BodyReader`. */
export const BODY_READER = 'body reader';

/** Reads the body, once, for a guard that has to know what it says. Prove the credential before. @throws as `BodyReader` says. */
export const readBody = (request: Request): Promise<void> => (request.app.get(BODY_READER) as BodyReader).read(request);

/** Behind the guards that know who calls, so that nothing is read for a caller whom they refuse. */
export class BodyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    await readBody(context.switchToHttp().getRequest<Request>());
    return true;
  }
}

function assertStorable(url: string): void {
  const unstorable = url.indexOf('%00');
  if (unstorable < 0) return;
  const query = url.indexOf('?');
  throw JsonErrors.notStorable([query >= 0 && unstorable > query ? 'query' : 'path']);
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function parse(bytes: Buffer, limits: JsonLimits): object {
  const value = bytes.length ? readJson(bytes, limits) : {};
  if (typeof value !== 'object' || value === null) throw JsonErrors.invalid(['body']);
  return value;
}

const notPlain = () => new AppError(415, 'unsupported_media_type', 'Send the body uncompressed, as UTF-8 JSON.');
