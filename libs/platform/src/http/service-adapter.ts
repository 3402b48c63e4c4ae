import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, maxHeaderSize, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import type { Counter, Registry } from 'prom-client';
import { AppError, Errors } from '../errors.js';
import { isScattered, refuseRest, takesNoMore } from './framing.js';
import { MethodErrors } from './methods.js';
import { connectionErrors } from './metrics.js';
import { otherProtocol } from './other-protocols.js';
import { sharePrototypes, type Prototypes } from '../speed/express-prototypes.js';
import express, { type Application } from 'express';

/** A client that sends its headers or its body slower than this is cut off. */
const REQUEST_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Express over a server whose time limits are set (Nest's own adapter leaves Node's five minutes), and without what it costs itself. */
export class ServiceAdapter extends ExpressAdapter {
  /** Connections that no request has come on, which Node.js does not count among the idle ones. */
  private readonly unused = new Set<Socket>();
  private readonly underWay = new Set<ServerResponse>();
  private isDraining = false;
  /** Codes of what the log has said. */
  private readonly warned = new Set<string>();
  private readonly errors: Counter<'code'>;

  constructor(
    private readonly log: Logger,
    metrics: Registry,
  ) {
    const application = express();
    // One way to write a path: what looks at the letters of a path, as limits do, and what finds its route see the same.
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
        insecureHTTPParser: false, // whatever NODE_OPTIONS says
        requireHostHeader: false, // `oneFraming` does, and ends the connection
      },
      (request, response) => {
        // Here, not in the listener below: the application may have answered before that is called.
        if (this.isDraining) response.shouldKeepAlive = false;
        if (!takesNoMore(request.socket)) application(request, response);
      },
    );
    server.maxHeadersCount = 0; // none is left out silently: how many there may be is for those who read them
    // `close` ends the connections that idle at that moment; the others would idle for the whole keep-alive timeout after it.
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.unused.delete(request.socket);
      this.underWay.add(response);
      response.once('close', () => {
        this.underWay.delete(response);
        if (!server.listening) setImmediate(() => server.closeIdleConnections());
      });
    });
    server.on('clientError', (error: ClientError, socket: ConnectionOfServer) => {
      const protocol = otherProtocol(error.rawPacket);
      const refusal = protocol ?? refusalOf(error);
      this.errors.inc({ code: error.syscall ? 'connection_lost' : refusal.code });
      if (protocol) this.warnOnce(protocol);
      // Where nothing has been read yet there is no request to answer: the client has sent none, or this process is far behind. An `EventSource` comes back then, and would not after a 408.
      if (socket.bytesRead && socket.writable && !socket._httpMessage?.headersSent) socket.write(this.answerOf(refusal, error));
      socket.destroy(error);
    });
    // Node.js makes no request of a CONNECT, and would hang up on it without a word.
    server.on('connect', (_request: IncomingMessage, socket: ConnectionOfServer) => {
      this.unused.delete(socket);
      socket.on('error', () => socket.destroy());
      // Behind a request that is not answered yet: what is written here would be in the middle of that answer.
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
   * What Node.js itself refuses reaches no route; it is answered like everything that is refused. The log has a line of it on level `debug`
   * alone: anybody can send it without end. The metrics count it.
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

  /** A proxy in front that is set up so does it with every connection, and so may anybody: the log has the first of each alone. */
  private warnOnce({ code, message }: AppError): void {
    if (this.warned.has(code)) return;
    this.warned.add(code);
    this.log.warn({ code }, `a connection was refused: ${message}`);
  }

  /**
   * From now on each answer ends its connection and says so, also those that are under way. Requests are still taken. A client that keeps connections would
   * otherwise send its next request on one that `close` is about to end, and could not know whether it was carried out.
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
  /** Bytes that the parser was given when it failed. */
  rawPacket?: Buffer;
}

/** With the answer that is under way on it, into which nothing else may be written. */
type ConnectionOfServer = Socket & { _httpMessage?: ServerResponse | null };

const PARSER_ERRORS: Record<string, AppError> = {
  HPE_HEADER_OVERFLOW: new AppError(
    431,
    'headers_too_large',
    `The line of the request, with the address, and its headers may have at most ${maxHeaderSize / 1024} KiB together.`,
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new AppError(413, 'payload_too_large', 'The extensions of a chunk are too long.'),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError(408, 'request_timeout', `The request did not come within ${REQUEST_TIMEOUT_MS / 1_000} seconds.`),
};

function messageClasses(application: Prototypes) {
  class ServiceRequest extends IncomingMessage {
    private pieces = 0;
    private bytes = 0;

    /** Node.js hands over each piece of the body here, whether or not somebody reads it yet. */
    override push(piece: Buffer | null): boolean {
      if (this.destroyed) return false; // also the end of what was refused, which is not whole
      if (piece === null) return super.push(null);
      this.pieces++;
      this.bytes += piece.length;
      if (!isScattered(this.pieces, this.bytes)) return super.push(piece);
      refuseRest(this, (this as { res?: ServerResponse }).res);
      return false;
    }
  }
  class ServiceResponse extends ServerResponse {}
  sharePrototypes(application, ServiceRequest.prototype, ServiceResponse.prototype);
  return { IncomingMessage: ServiceRequest as typeof IncomingMessage, ServerResponse: ServiceResponse as typeof ServerResponse };
}

/** A line that begins like a request of some method, and not the greeting of another protocol. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]{1,100} \S+ HTTP\/\d/;

const refusalOf = ({ code, rawPacket }: ClientError): AppError => {
  if (code === 'HPE_INVALID_METHOD' && rawPacket && REQUEST_LINE.test(rawPacket.toString('latin1', 0, 8_192)))
    return MethodErrors.unknown();
  return PARSER_ERRORS[code ?? ''] ?? Errors.malformedRequest();
};
