import { until } from '@platform/testing';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface HostRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** Parsed; null without a body. */
  body: unknown;
}

export interface HostAnswer {
  status?: number;
  body?: unknown;
}

/** A fake of the extension host. `answers` decides the answer of each request. */
export class FakeHost {
  readonly requests: HostRequest[] = [];
  /** Number of connections that were opened. */
  connections = 0;
  /** Null: no answer. */
  answers: (request: HostRequest) => HostAnswer | null | Promise<HostAnswer | null> = () => ({
    status: 404,
    body: { detail: 'Nothing here.', code: 'not_found' },
  });
  /** Number of requests that the caller aborted before the answer. */
  aborted = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', () => this.connections++);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.handle(request, response));
  }

  static async start(): Promise<FakeHost> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new FakeHost(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Each request as `GET /v1/internal/…`. */
  get lines(): string[] {
    return this.requests.map(({ method, url }) => `${method} ${url}`);
  }

  /** Waits until this number of requests has arrived. */
  async waitForRequests(count: number): Promise<void> {
    await until(() => Promise.resolve(this.requests.length >= count));
  }

  /** Waits until the caller has aborted this number of requests. */
  async waitForAborts(count: number): Promise<void> {
    await until(() => Promise.resolve(this.aborted >= count));
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
      if (!response.writableEnded) this.aborted++;
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
