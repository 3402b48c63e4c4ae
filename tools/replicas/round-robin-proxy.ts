import { isHopByHop } from '@platform/platform';
import { once } from 'node:events';
import {
  Agent,
  createServer,
  get,
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** Interval of the health checks of each process. A process drains for longer than this. */
const HEALTH_CHECK_INTERVAL_MS = 200;
const HEALTH_CHECK_TIMEOUT_MS = 2_000;

interface Target {
  host: string;
  port: number;
  isReady: boolean;
  isBeingChecked: boolean;
}

/**
 * A round-robin load balancer with one address. It checks `/readyz` of each process and sends
 * requests to the ready processes, or to the others if none is ready. If a process accepts no
 * connection, it tries the next. A request that a process may have started is not repeated: the
 * answer is 502.
 */
export class RoundRobinProxy {
  /**
   * Error answers of the proxy itself: 502 if a process closed the connection, 503 if there is no
   * process.
   */
  readonly failures: { status: number; method: string; path: string }[] = [];
  private targets: Target[] = [];
  private turn = 0;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly checking = setInterval(() => this.checkHealth(), HEALTH_CHECK_INTERVAL_MS).unref();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<RoundRobinProxy> {
    const server = createServer((request, response) => proxy.pass(request, response, proxy.inTurn()));
    const proxy = new RoundRobinProxy(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Adds a process that is ready. */
  add(url: string): void {
    this.targets.push({ ...addressOf(url), isReady: true, isBeingChecked: false });
  }

  /** Removes a process. Its requests in progress continue. */
  remove(url: string): void {
    const { host, port } = addressOf(url);
    this.targets = this.targets.filter((target) => target.host !== host || target.port !== port);
  }

  async stop(): Promise<void> {
    clearInterval(this.checking);
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    this.agent.destroy();
    await closed;
  }

  /** Ready processes, beginning with the next in turn, then the others, which can still answer. */
  private inTurn(): Target[] {
    const ready = this.targets.filter(({ isReady }) => isReady);
    const first = this.turn++ % (ready.length || 1);
    return [...ready.slice(first), ...ready.slice(0, first), ...this.targets.filter(({ isReady }) => !isReady)];
  }

  private pass(request: IncomingMessage, response: ServerResponse, [target, ...others]: Target[]): void {
    if (!target) {
      this.fail(request, response, 503);
      return;
    }
    let isConnected = false;
    const { method, url: path } = request;
    const { host, port } = target;
    const sent = send({ agent: this.agent, host, port, method, path, headers: forwarded(request), setHost: false });
    const begin = () => {
      isConnected = true;
      request.pipe(sent);
    };
    sent.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', begin);
      else begin();
    });
    sent.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, withoutHopByHop(answer.headers)).flushHeaders();
      pipeline(answer, response, () => undefined); // if one side closes early, so does the other
    });
    sent.on('error', () => {
      if (response.destroyed || response.headersSent) response.destroy();
      else if (isConnected) this.fail(request, response, 502);
      else {
        target.isReady = false;
        this.pass(request, response, others);
      }
    });
    response.once('close', () => sent.destroy());
  }

  private fail({ method = '', url: path = '' }: IncomingMessage, response: ServerResponse, status: number): void {
    this.failures.push({ status, method, path });
    const body = JSON.stringify({ detail: 'No process of the service answered.', code: 'unavailable' });
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '1', Connection: 'close' })
      .end(body);
  }

  private checkHealth(): void {
    for (const target of this.targets) {
      if (target.isBeingChecked) continue;
      target.isBeingChecked = true;
      const seen = (isReady: boolean) => Object.assign(target, { isReady, isBeingChecked: false });
      const { host, port } = target;
      const asked = get({ agent: false, host, port, path: '/readyz', timeout: HEALTH_CHECK_TIMEOUT_MS }, (answer) => {
        answer.resume();
        seen(answer.statusCode === 200);
      });
      asked.once('timeout', () => asked.destroy());
      asked.on('error', () => seen(false));
    }
  }
}

function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

const withoutHopByHop = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isHopByHop(name, headers.connection)));

function forwarded({ headers, socket }: IncomingMessage): IncomingHttpHeaders {
  const before = headers['x-forwarded-for'];
  const client = socket.remoteAddress ?? '';
  return {
    ...withoutHopByHop(headers),
    ...(headers['transfer-encoding'] && { 'transfer-encoding': 'chunked' }),
    'x-forwarded-for': before ? `${String(before)}, ${client}` : client,
  };
}
