import { until } from '@platform/testing';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface HostRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** Parsed; null when there is none. */
  body: unknown;
}

export interface HostAnswer {
  status?: number;
  body?: unknown;
}

/** Speaks the wire of the host of extensions: `answers` says what. */
export class HostStandIn {
  readonly requests: HostRequest[] = [];
  /** How many connections were made. */
  connections = 0;
  /** Null: no answer at all. */
  answers: (request: HostRequest) => HostAnswer | null | Promise<HostAnswer | null> = () => ({
    status: 404,
    body: { detail: 'Nothing here.', code: 'not_found' },
  });
  /** How many requests were ended by the caller before they were answered. */
  ended = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', () => this.connections++);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.handle(request, response));
  }

  static async start(): Promise<HostStandIn> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new HostStandIn(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** `GET /v1/internal/…` of each request. */
  get lines(): string[] {
    return this.requests.map(({ method, url }) => `${method} ${url}`);
  }

  /** Once so many requests have come. */
  async arrived(count: number): Promise<void> {
    await until(() => Promise.resolve(this.requests.length >= count));
  }

  /** Once so many requests were ended by the caller. */
  async closed(count: number): Promise<void> {
    await until(() => Promise.resolve(this.ended >= count));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const sent = await text(request);
    const body: unknown = sent ? JSON.parse(sent) : null;
    response.on('close', () => {
      if (!response.writableEnded) this.ended++;
    });
    const received = { method, url, headers, body };
    this.requests.push(received);
    const answer = await this.answers(received);
    if (!answer) return;
    response.statusCode = answer.status ?? 200;
    if (answer.body === undefined) response.end();
    else response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer.body));
  }
}
