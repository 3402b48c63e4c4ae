import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { ErrorCode } from '../error-codes.js';
import { AppError } from '../errors.js';

/** As other servers have it; Node.js would leave out what is beyond its own limit, and say nothing. */
const MAX_HEADERS = 100;
const MAX_CONNECTION_OPTIONS = 10;

/**
 * Refuses, before anything else looks at it, what two servers in a row could read as different requests. Node.js itself answers 400 to what
 * its parser finds: a length and a transfer encoding, two lengths, folded headers, bare line feeds, spaces around names, malformed chunks.
 * What it takes and proxies differ on is refused here, with 400, and the connection ends.
 */
export function oneFraming(): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const fault = faultOf(request);
    if (fault || asksForProtocol(request)) {
      lastWasRead.add(request.socket);
      response.shouldKeepAlive = false;
    }
    next(fault);
  };
}

/** Connections on which a request was refused, since its end is in doubt, or asked for another protocol. What follows it is no request. */
const lastWasRead = new WeakSet<Socket>();

export const takesNoMore = (socket: Socket): boolean => lastWasRead.has(socket);

/**
 * Such a request is answered like any other (RFC 9110 section 7.8). Node.js drops what came behind it in the same packet, so a request that it cut in two
 * would begin in its middle: its connection ends with it. A proxy that sends `Connection: upgrade` with every request sends no `Upgrade` with most.
 */
const asksForProtocol = ({ headers: { upgrade, connection } }: Request): boolean =>
  upgrade !== undefined && connection !== undefined && connection.toLowerCase().includes('upgrade');

const MIN_PIECES = 4_096;
const BYTES_OF_A_PIECE = 16;

/** Whether a body of so many bytes came in far more pieces than anybody has reason to send: each costs as much as a long one. */
export const isScattered = (pieces: number, bytes: number): boolean => pieces > MIN_PIECES + bytes / BYTES_OF_A_PIECE;

/** Ends the connection as Node.js does for malformed chunks. Whoever reads the request learns that it broke off; nothing that follows is read. */
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
  if (encoding !== undefined && (httpVersion === '1.0' || !isChunked(encoding))) return FramingErrors.transferEncoding();
  // One form of address: neither a whole URL, which names a host of its own, nor `*`, nor with a fragment.
  if (!TARGET.test(url)) return FramingErrors.target();
  const { host, connection } = headers;
  if (host === undefined ? httpVersion === '1.1' : !HOST.test(host)) return FramingErrors.host();
  if (connection !== undefined && !mayBeNominated(connection)) return FramingErrors.nominated();
  return faultOfNames(rawHeaders);
}

const isChunked = (encoding: string): boolean => encoding.toLowerCase() === 'chunked';
const TARGET = /^\/[!"$-~]*$/;
const HOST = /^(?:[\w.~!$&'()*+;=%-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** By length, since a name of most lengths is of no interest. */
const SINGLE: Record<number, string> = { 4: 'host', 12: 'content-type', 14: 'content-length', 17: 'transfer-encoding' };

/** Node.js takes the first of two, and others the last. `Content_Length` is another header to us, and the same to some. */
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

/** Options that are about the connection alone. No route switches protocols: `upgrade` and `http2-settings` are left out, as all of these. */
const CONNECTION_OPTIONS = new Set(['close', 'keep-alive', 'te', 'trailer', 'proxy-connection', 'upgrade', 'http2-settings']);

/**
 * Of all others the names that nobody has registered, unless a proxy in front of us or a service behind us goes by them: what frames or
 * routes a message, says where it comes from, or proves something.
 */
const UNREGISTERED = /^x-[a-z0-9-]+$/;
const GONE_BY =
  /^x-(?:accel|acting|amz|amzn|azure|b3|client|cloud|correlation|csrf|envoy|forward|http|method|original|platform|real|remote|request|rewrite|sendfile|trace|true|xsrf)|addr|auth|cert|content|cookie|cred|digest|encod|hmac|host|key|length|pass|scheme|secret|session|sig|ssl|tls|token|user|verif/;

/** Whether a client may ask that whoever forwards its message leaves these headers out. */
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
  transferEncoding: () => malformed('transfer_encoding', 'The only Transfer-Encoding is chunked, with HTTP/1.1.'),
  target: () => malformed('malformed_target', 'Send the path of the address alone, beginning with a slash.'),
  host: () => malformed('malformed_header', 'The header Host is malformed.'),
  nominated: () => malformed('connection_option', 'The header Connection names what is not about the connection.'),
  twice: () => malformed('malformed_header', 'A header that there is one of came twice.'),
  lookAlike: () => malformed('malformed_header', 'A header looks like one that frames the message.'),
};
