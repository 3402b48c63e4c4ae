import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, maxHeaderSize, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import type { Counter, Registry } from 'prom-client';
import { AppError, Errors } from '../errors.js';
import { hasTooManyPieces, refuseRest, isLastRequest } from './framing.js';
import { MethodErrors } from './methods.js';
import { connectionErrors } from './metrics.js';
import { otherProtocolError } from './other-protocols.js';
import { sharePrototypes, type Prototypes } from '../speed/express-prototypes.js';
import express, { type Application } from 'express';

/** Time in which a request must arrive. A slower client is disconnected. */
const REQUEST_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/**
 * Express on a server with its own time limits (Nest's adapter keeps the five minutes of Node.js),
 * and with less overhead per request.
 */
export class ServiceAdapter extends ExpressAdapter {
  /** Connections without a request so far. Node.js does not count them as idle. */
  private readonly unused = new Set<Socket>();
  private readonly underWay = new Set<ServerResponse>();
  private isDraining = false;
  /** Codes of the warnings that were logged already. */
  private readonly warned = new Set<string>();
  private readonly errors: Counter<'code'>;

  constructor(
    private readonly log: Logger,
    metrics: Registry,
  ) {
    const application = express();
    // Paths are case-sensitive, so that code that compares paths, such as a rate limit, and the
    // router agree on the route.
    application.enable('case sensitive routing');
    super(application);
    this.errors = connectionErrors(metrics);
  }

  override initHttpServer(_options: NestApplicationOptions): void {
    const application = this.getInstance<Application & Prototypes>();
    const server = createServer(
      {
        ...messageClasses(application),
        headersTimeout: REQUEST_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        connectionsCheckingInterval: 1_000,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        insecureHTTPParser: false, // even if NODE_OPTIONS sets it
        requireHostHeader: false, // `refuseAmbiguousFraming` checks the header, and closes the connection
      },
      (request, response) => {
        // Here and not in the listener below, because the application can answer before that
        // listener runs.
        if (this.isDraining) response.shouldKeepAlive = false;
        if (!isLastRequest(request.socket)) application(request, response);
      },
    );
    server.maxHeadersCount = 0; // no header is dropped silently; `refuseAmbiguousFraming` limits their number
    // `close` ends the connections that are idle at that moment. Others would stay open for the
    // whole keep-alive timeout after their response.
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.unused.delete(request.socket);
      this.underWay.add(response);
      response.once('close', () => {
        this.underWay.delete(response);
        if (!server.listening) setImmediate(() => server.closeIdleConnections());
      });
    });
    server.on('clientError', (error: ClientError, socket: ConnectionOfServer) => {
      const protocol = otherProtocolError(error.rawPacket);
      const refusal = protocol ?? refusalOf(error);
      this.errors.inc({ code: error.syscall ? 'connection_lost' : refusal.code });
      if (protocol) this.warnOnce(protocol);
      // Without a received byte there is no request to answer: the client has sent none, or this
      // process is far behind. An `EventSource` then reconnects; after a 408 it would not.
      if (socket.bytesRead && socket.writable && !socket._httpMessage?.headersSent)
        socket.write(this.answerOf(refusal, error));
      socket.destroy(error);
    });
    // Node.js does not make a request of a CONNECT, and would close the connection without an
    // answer.
    server.on('connect', (_request: IncomingMessage, socket: ConnectionOfServer) => {
      this.unused.delete(socket);
      socket.on('error', () => socket.destroy());
      // An earlier request is not answered yet: an answer written here would end up inside that
      // response.
      if (socket._httpMessage) socket.destroy();
      else socket.end(this.answerOf(MethodErrors.unknown(), {}), () => socket.destroy());
    });
    server.on('connection', (socket: Socket) => {
      this.unused.add(socket);
      socket.once('close', () => this.unused.delete(socket));
    });
    this.httpServer = server;
  }

  /**
   * Writes the HTTP response to a message that Node.js refuses before any route gets it. It has the
   * usual error format. It is logged only on level `debug`, because any client can send these
   * messages without limit; metrics count most of them.
   */
  private answerOf({ status, code, message }: AppError, { code: cause }: { code?: string }): string {
    const requestId = randomUUID();
    this.log.debug({ request_id: requestId, code: cause, res: { status } }, 'not a request');
    const body = JSON.stringify({ detail: message, code, request_id: requestId });
    const headers = [
      `X-Request-Id: ${requestId}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
  }

  /**
   * Logs a warning for the first connection with each code. A wrongly configured proxy causes one
   * with every connection, and any client can do the same.
   */
  private warnOnce({ code, message }: AppError): void {
    if (this.warned.has(code)) return;
    this.warned.add(code);
    this.log.warn({ code }, `a connection was refused: ${message}`);
  }

  /**
   * Makes each response from now on, also of requests that are running, close its connection and
   * say so. Requests are still accepted. Without this, a client that reuses connections could send
   * its next request on one that `close` is about to end, and would not know whether it was
   * processed.
   */
  drain(): void {
    this.isDraining = true;
    for (const response of this.underWay) response.shouldKeepAlive = false;
  }

  override close(): Promise<unknown> | undefined {
    this.drain();
    const closed = super.close();
    for (const socket of this.unused) socket.destroy();
    return closed;
  }
}

interface ClientError extends NodeJS.ErrnoException {
  /** Bytes that the parser was reading when it failed. */
  rawPacket?: Buffer;
}

/**
 * `_httpMessage`: the unfinished response on the connection. Nothing else may be written until its
 * end.
 */
type ConnectionOfServer = Socket & { _httpMessage?: ServerResponse | null };

const PARSER_ERRORS: Record<string, AppError> = {
  HPE_HEADER_OVERFLOW: new AppError(
    431,
    'headers_too_large',
    `The request line (with the address) and the headers are too large: they can have at most ${maxHeaderSize / 1024} KiB together.`,
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new AppError(413, 'payload_too_large', 'The extensions of a chunk are too long.'),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError(
    408,
    'request_timeout',
    `The request did not come within ${REQUEST_TIMEOUT_MS / 1_000} seconds.`,
  ),
};

function messageClasses(application: Prototypes) {
  class ServiceRequest extends IncomingMessage {
    private pieces = 0;
    private bytes = 0;

    /** Node.js calls this with each piece of the body, also before the body is read. */
    override push(piece: Buffer | null): boolean {
      if (this.destroyed) return false; // refused; its end is dropped too, because the body is incomplete
      if (piece === null) return super.push(null);
      this.pieces++;
      this.bytes += piece.length;
      if (!hasTooManyPieces(this.pieces, this.bytes)) return super.push(piece);
      refuseRest(this, (this as { res?: ServerResponse }).res);
      return false;
    }
  }
  class ServiceResponse extends ServerResponse {}
  sharePrototypes(application, ServiceRequest.prototype, ServiceResponse.prototype);
  return {
    IncomingMessage: ServiceRequest as typeof IncomingMessage,
    ServerResponse: ServiceResponse as typeof ServerResponse,
  };
}

/** A request line with any method, unlike the greeting of another protocol. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]{1,100} \S+ HTTP\/\d/;

const refusalOf = ({ code, rawPacket }: ClientError): AppError => {
  if (code === 'HPE_INVALID_METHOD' && rawPacket && REQUEST_LINE.test(rawPacket.toString('latin1', 0, 8_192)))
    return MethodErrors.unknown();
  return PARSER_ERRORS[code ?? ''] ?? Errors.malformedRequest();
};
