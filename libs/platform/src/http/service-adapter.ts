import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, Request } from 'express';

/** A client that sends its headers or its body slower than this is cut off. */
const REQUEST_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Express over a server whose time limits are set; Nest's own adapter leaves Node's five minutes. */
export class ServiceAdapter extends ExpressAdapter {
  /** Connections that no request has come on, which Node.js does not count among the idle ones. */
  private readonly unused = new Set<Socket>();

  override initHttpServer(_options: NestApplicationOptions): void {
    const server = createServer(
      {
        headersTimeout: REQUEST_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        connectionsCheckingInterval: 1_000,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      },
      this.getInstance<Application>(),
    );
    // `close` ends the connections that idle at that moment; the others would idle for the whole keep-alive timeout after it.
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.unused.delete(request.socket);
      response.once('close', () => {
        if (!server.listening) setImmediate(() => server.closeIdleConnections());
      });
    });
    server.on('connection', (socket: Socket) => {
      this.unused.add(socket);
      socket.once('close', () => this.unused.delete(socket));
    });
    this.httpServer = server;
  }

  override close(): Promise<unknown> | undefined {
    const closed = super.close();
    for (const socket of this.unused) socket.destroy();
    return closed;
  }
}

interface RouterLayer {
  match(path: string): boolean;
  route?: { methods: Record<string, boolean> };
}

/** The methods that some route takes at this request's path; empty when there is no such path. */
export function allowedMethods(request: Request): string[] {
  const { stack } = (request.app as unknown as { router: { stack: RouterLayer[] } }).router;
  const methods = new Set<string>();
  for (const layer of stack) {
    if (!layer.route || !layer.match(request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}
