import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RelayedAnswer {
  method: string;
  path: string;
  body: string;
}

const PASSED_ON = new Set(['authorization', 'content-type', 'if-match', 'x-request-id', 'x-service-token']);

/**
 * Proxy between a client and a service, so that a test can act before an answer reaches the client.
 */
export class Relay {
  /**
   * Called with each answer before it is sent on. If it returns `lose`, the connection ends
   * instead.
   */
  beforeAnswer: (answer: RelayedAnswer) => Promise<void> | 'lose' | undefined = () => undefined;

  /** True to close every connection without forwarding. */
  isBroken = false;

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {}

  static async start(target: string): Promise<Relay> {
    const server = createServer((request, response) => void relay.pass(request, response));
    const relay = new Relay(server, target);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isBroken) {
      request.destroy();
      return;
    }
    let sent = '';
    for await (const chunk of request.setEncoding('utf8')) sent += chunk as string;
    const { method = 'GET', url: path = '/' } = request;
    const answer = await fetch(`${this.target}${path}`, {
      method,
      headers: Object.entries(request.headers).filter((header): header is [string, string] => PASSED_ON.has(header[0])),
      ...(sent ? { body: sent } : {}),
    });
    const body = await answer.text();
    if ((await this.beforeAnswer({ method, path, body })) === 'lose') {
      request.socket.destroy();
      return;
    }
    const etag = answer.headers.get('etag');
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...(etag && { ETag: etag }) }).end(body);
  }
}
