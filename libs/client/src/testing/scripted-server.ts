import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Script = (request: ReceivedRequest, response: ServerResponse) => void;

/**
 * HTTP server that gives scripted answers, including answers that a healthy gateway never gives.
 */
export class ScriptedServer {
  readonly requests: ReceivedRequest[] = [];
  script: Script = (_request, response) => response.writeHead(404).end();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedServer> {
    const server = createServer((request, response) => {
      void scripted.receive(request, response);
    });
    const scripted = new ScriptedServer(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Answers requests in order with these answers, and all further requests with the last one. */
  answer(...answers: { status: number; json?: unknown; headers?: Record<string, string> }[]): void {
    let next = 0;
    this.script = (_request, response) => {
      const { status, json, headers } = answers[Math.min(next++, answers.length - 1)] ?? { status: 500 };
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(json));
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
    const received = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
    this.requests.push(received);
    this.script(received, response);
  }
}
