import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * An HTTP server for tests, on every address of this machine. It records connections and requests.
 */
export class LocalServer {
  /** Local address of each connection. */
  readonly connections: string[] = [];
  readonly requests: IncomingMessage[] = [];

  private constructor(
    readonly server: Server,
    readonly port: number,
  ) {}

  static async start(listener: RequestListener): Promise<LocalServer> {
    const server = createServer();
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    const local = new LocalServer(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => local.connections.push(socket.localAddress ?? ''));
    server.on('request', (request, response) => {
      local.requests.push(request);
      listener(request, response);
    });
    return local;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
