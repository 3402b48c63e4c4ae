import type { CallResponse, RunRequest } from '@platform/contracts';
import { TEST_SERVICE_TOKEN } from '@platform/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const SUCCESS = {
  status: 'success' as const,
  data: null,
  summary: null,
  error: null,
  ui: null,
  error_code: null,
  retryable: false,
};

/** Speaks the wire of the extension host's runs, and does nothing else. */
export class StandInHost {
  /** What it was asked to run. */
  readonly runs: RunRequest[] = [];
  /** How many requests were given up before they were answered. */
  aborted = 0;
  /** By itself a run returns its params. Null: it never answers. A number: with this status and nothing in it. */
  answer: (run: RunRequest) => CallResponse | number | null | Promise<CallResponse | number | null> = echo;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<StandInHost> {
    const server = createServer();
    const host = new StandInHost(server);
    server.on('request', (request, response) => {
      let text = '';
      response.once('close', () => {
        if (!response.writableFinished) host.aborted++;
      });
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const isKnown = request.url === '/v1/internal/runs' && request.headers['x-service-token'] === TEST_SERVICE_TOKEN;
        if (!isKnown) return void response.writeHead(404).end('{}');
        const run = JSON.parse(text) as RunRequest;
        host.runs.push(run);
        void Promise.resolve(host.answer(run)).then((answer) => {
          if (answer === null) return;
          const isStatus = typeof answer === 'number';
          response.writeHead(isStatus ? answer : 200, { 'Content-Type': 'application/json' }).end(isStatus ? '{}' : JSON.stringify(answer));
        });
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return host;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get lastRun(): RunRequest | undefined {
    return this.runs.at(-1);
  }

  /** Answers as at the start again. */
  reset(): void {
    this.answer = echo;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

const echo = ({ params }: RunRequest): CallResponse => ({ ...SUCCESS, data: params });
