import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../errors.js';
import { currentContext } from '../../request-context.js';
import { JsonErrors, readJson, type JsonLimits } from '../json.js';
import { BodyErrors } from './body-errors.js';
import { BodyReceiver } from './body-receiver.js';
import { clientBucket } from './client-bucket.js';

const MAX_DEPTH = 32;
const MAX_KEYS = 1_000;
const MAX_VALUES = 10_000;
const MEBIBYTE = 1024 * 1024;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export interface BodyLimit {
  /** Prefix of the paths that the limit applies to. */
  prefix: string;
  bytes: number;
  /** Maximum number of keys in all objects of the body together. Default: 1,000. */
  keys?: number;
  /** Maximum number of values in all lists and objects of the body together. Default: 10,000. */
  values?: number;
}

/**
 * Memory for the JSON bodies of all requests of a process. Each sender, a user or the address of a
 * request without a credential, can take a quarter of it, so that the uploads of one sender do not
 * block all others.
 */
const TOTAL_BYTES = 64 * MEBIBYTE;
const SHARE_BYTES = TOTAL_BYTES / 4;
const MEMORY = { total: TOTAL_BYTES, perApp: TOTAL_BYTES, perSender: SHARE_BYTES, perSenderToApp: SHARE_BYTES };

const REST: BodyLimit = { prefix: '/', bytes: MEBIBYTE };

/**
 * Reads the JSON body of a request into `request.body`, or refuses it:
 * - 400: it has a byte order mark, a key appears twice in one object, or it did not arrive
 *   completely
 * - 408: it arrives too slowly
 * - 413: it is too large
 * - 415: it is not JSON, not UTF-8, or compressed
 * - 422: it is malformed, nested deeper than 32 levels, has more keys or values than the limits, a
 *   character that PostgreSQL cannot store, or the key `__proto__` or `constructor`
 * - 503: other bodies, of the sender or of all senders, take all the memory for bodies
 *
 * The first limit with a matching prefix applies, so the most specific prefix comes first. Other
 * paths have 1 MiB, 1,000 keys and 10,000 values. Paths that begin with one of `unread` are left to
 * their routes, which read the bytes themselves.
 */
export class BodyReader {
  private readonly bodies: BodyReceiver;

  constructor(
    private readonly limits: readonly BodyLimit[],
    private readonly unread: readonly string[] = [],
  ) {
    const bytes = Math.max(...[REST, ...limits].map((limit) => limit.bytes));
    this.bodies = new BodyReceiver({ bytes, small: MEMORY, large: MEMORY });
  }

  async read(request: Request): Promise<void> {
    const { path } = request;
    if (request.body !== undefined || this.unread.some((prefix) => path.startsWith(prefix))) return;
    assertStorable(request.originalUrl);
    if (!METHODS_WITH_BODY.has(request.method) || !hasBody(request)) return;
    if (!request.is(['application/json', '+json'])) {
      throw new AppError(415, 'unsupported_media_type', 'Send the body as application/json.');
    }
    // JSON between systems is UTF-8 (RFC 8259 section 8.1); other encodings are refused.
    if (!/^utf-?8$/i.test(CHARSET.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8')) throw notPlain();
    const {
      bytes,
      keys = MAX_KEYS,
      values = MAX_VALUES,
    } = this.limits.find(({ prefix }) => path.startsWith(prefix)) ?? REST;
    // Refuses before the body is read.
    if (Number(request.headers['content-length'] ?? 0) > bytes) throw BodyErrors.tooLarge();
    if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) throw notPlain();
    const { body, release } = await this.bodies.receiveBody({ app: '', sender: senderOf(request) }, request, bytes);
    // The parsed body stays in memory until the response ends, so its memory is counted until then.
    const { res: response } = request;
    if (!response || response.closed) release();
    else response.once('close', release);
    request.body = parse(body, { depth: MAX_DEPTH, keys, values });
  }
}

/**
 * The name of the sender under which the memory of a body is counted: the user, together with all
 * their API keys, or the client address (of IPv6 the /64) if there is no credential. A trusted
 * backend sends the bodies of many people, so each of its requests has a name of its own.
 */
export function senderOf(request: Pick<Request, 'ip'>): string {
  const context = currentContext();
  const caller = context?.caller;
  if (context && caller?.startsWith('service:')) return `${caller} ${context.requestId}`;
  return caller?.split('/')[0] ?? clientBucket(request.ip);
}

/** Setting of the Express application that contains its `BodyReader`. */
export const BODY_READER = 'body reader';

/**
 * Reads the JSON body into `request.body`, for a guard that needs its content. Does nothing in a
 * second call, without a body, and for paths whose routes read the bytes themselves. Check the
 * credential first.
 *
 * @throws AppError 400 for a malformed body, 408 too slow, 413 too large, 415 not uncompressed
 * JSON, 503 no memory for bodies; ValidationFailed (422) if it is not JSON or exceeds a limit, or
 * the address contains `%00`.
 */
export const readBody = (request: Request): Promise<void> => (request.app.get(BODY_READER) as BodyReader).read(request);

/**
 * Reads the JSON body of each request. It runs after the guards that check the caller, so that no
 * body is read for a caller that they refuse.
 */
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
