import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { ErrorCode } from '../error-codes.js';
import { AppError } from '../errors.js';

/** The usual limit of other servers. Node.js would silently drop headers above its own limit. */
const MAX_HEADERS = 100;
const MAX_CONNECTION_OPTIONS = 10;

/**
 * Makes a middleware that refuses requests that two servers in a row could read as different
 * requests. The error is an AppError 400, 431 `too_many_headers` or 505 `http_version`, and the
 * connection is closed after the answer. Node.js itself answers 400 to faults that its parser
 * finds: a length and a transfer encoding, two lengths, folded headers, bare line feeds, spaces
 * around names, malformed chunks. A request for another protocol is answered, and then its
 * connection is closed.
 */
export function refuseAmbiguousFraming(): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const fault = faultOf(request);
    if (fault || asksForProtocol(request)) {
      lastWasRead.add(request.socket);
      response.shouldKeepAlive = false;
    }
    next(fault);
  };
}

/**
 * Connections on which a request was refused, so that its end is uncertain, or asked for another
 * protocol. The following bytes are not read as a request.
 */
const lastWasRead = new WeakSet<Socket>();

/**
 * True if no further request is read from this connection, because of `refuseAmbiguousFraming` or
 * `refuseRest`.
 */
export const isLastRequest = (socket: Socket): boolean => lastWasRead.has(socket);

/**
 * True if the request asks for another protocol. It is answered like any other request (RFC 9110
 * section 7.8), and then the connection is closed: Node.js drops the bytes that follow it in the
 * same packet, so the next request could be read from its middle. Both headers are needed, because
 * some proxies send `Connection: upgrade` with every request.
 */
const asksForProtocol = ({ headers: { upgrade, connection } }: Request): boolean =>
  upgrade !== undefined && connection !== undefined && connection.toLowerCase().includes('upgrade');

const MIN_PIECES = 4_096;
const BYTES_OF_A_PIECE = 16;

/**
 * True if a body of this size arrived in far more pieces than any normal client sends: more than
 * 4,096 plus one for each 16 bytes. Each piece costs as much as a long one.
 */
export const hasTooManyPieces = (pieces: number, bytes: number): boolean =>
  pieces > MIN_PIECES + bytes / BYTES_OF_A_PIECE;

/**
 * Refuses the rest of a request and closes its connection, after a response of 400 if none has
 * begun. Code that reads the body gets an error; nothing that follows is read.
 */
export function refuseRest(request: IncomingMessage, response: ServerResponse | undefined): void {
  lastWasRead.add(request.socket);
  if (response?.socket === request.socket && !response.headersSent) request.socket.write(BAD_REQUEST);
  request.destroy(new Error('The body came in too many pieces.'));
}

const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

function faultOf(request: Request): AppError | undefined {
  const { headers, rawHeaders, httpVersion, url } = request;
  if (rawHeaders.length > 2 * MAX_HEADERS) return FramingErrors.tooManyHeaders();
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return FramingErrors.version();
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (httpVersion === '1.0' || !isChunked(encoding)))
    return FramingErrors.transferEncoding();
  // Only a path is accepted: no whole URL, which names its own host, no `*`, and no fragment.
  if (!TARGET.test(url)) return FramingErrors.target();
  const { host, connection } = headers;
  if (host === undefined ? httpVersion === '1.1' : !HOST.test(host)) return FramingErrors.host();
  if (connection !== undefined && !mayBeNominated(connection)) return FramingErrors.nominated();
  return faultOfNames(rawHeaders);
}

const isChunked = (encoding: string): boolean => encoding.toLowerCase() === 'chunked';
const TARGET = /^\/[!"$-~]*$/;
const HOST = /^(?:[\w.~!$&'()*+;=%-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Headers that can appear only once, by the length of their name: most lengths need no further
 * check.
 */
const SINGLE: Record<number, string> = { 4: 'host', 12: 'content-type', 14: 'content-length', 17: 'transfer-encoding' };

/**
 * Finds a header of `SINGLE` that appears twice, or a name that other servers take for one;
 * undefined if there is none. Node.js uses the first of two equal headers, and other servers the
 * last. `Content_Length` is a different header for us, and the same header for some servers.
 */
function faultOfNames(rawHeaders: readonly string[]): AppError | undefined {
  let seen = 0; // a bit for each length
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] as string;
    const single = SINGLE[raw.length];
    if (single === undefined) continue;
    const name = raw.toLowerCase();
    if (name === single) {
      if (seen & (1 << raw.length)) return FramingErrors.twice();
      seen |= 1 << raw.length;
    } else if (name.replace(NOT_ALPHANUMERIC, '-') === single) return FramingErrors.lookAlike();
  }
  return undefined;
}

const NOT_ALPHANUMERIC = /[^a-z0-9]/g;

/**
 * Options that are about the connection alone. `upgrade` and `http2-settings` are among them,
 * because no route switches protocols.
 */
const CONNECTION_OPTIONS = new Set([
  'close',
  'keep-alive',
  'te',
  'trailer',
  'proxy-connection',
  'upgrade',
  'http2-settings',
]);

/**
 * Other options are allowed if their names are unregistered, and neither a proxy in front of us nor
 * a service behind us acts on them. Headers that frame or route a message, say where it comes from,
 * or prove something are refused.
 */
const UNREGISTERED = /^x-[a-z0-9-]+$/;
const GONE_BY =
  /^x-(?:accel|acting|amz|amzn|azure|b3|client|cloud|correlation|csrf|envoy|forward|http|method|original|platform|real|remote|request|rewrite|sendfile|trace|true|xsrf)|addr|auth|cert|content|cookie|cred|digest|encod|hmac|host|key|length|pass|scheme|secret|session|sig|ssl|tls|token|user|verif/;

/**
 * True if the header `Connection` has at most ten names, and a proxy that removes the headers with
 * these names does no harm.
 */
function mayBeNominated(connection: string): boolean {
  if (connection === 'keep-alive' || connection === 'close') return true;
  const options = connection.toLowerCase().split(',');
  return options.length <= MAX_CONNECTION_OPTIONS && options.every((option) => isOption(option.trim()));
}

const isOption = (option: string): boolean =>
  option === '' || CONNECTION_OPTIONS.has(option) || (UNREGISTERED.test(option) && !GONE_BY.test(option));

const malformed = (code: ErrorCode, message: string) => new AppError(400, code, message);

const FramingErrors = {
  tooManyHeaders: () => new AppError(431, 'too_many_headers', `Send at most ${MAX_HEADERS} headers.`),
  version: () => new AppError(505, 'http_version', 'Send the request as HTTP/1.1.'),
  transferEncoding: () => malformed('transfer_encoding', 'Transfer-Encoding can only be chunked, and needs HTTP/1.1.'),
  target: () =>
    malformed('malformed_target', 'Send only the path and the query of the address, beginning with a slash.'),
  host: () => malformed('malformed_header', 'The header Host is malformed.'),
  nominated: () =>
    malformed(
      'connection_option',
      'The header Connection names too many headers, or a header that is not about the connection.',
    ),
  twice: () =>
    malformed('malformed_header', 'Host, Content-Type, Content-Length and Transfer-Encoding may appear only once.'),
  lookAlike: () =>
    malformed(
      'malformed_header',
      'A header looks like Host, Content-Type, Content-Length or Transfer-Encoding. Use the exact name.',
    ),
};
