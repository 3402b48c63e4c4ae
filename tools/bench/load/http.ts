import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { throughput } from './throughput.js';

export interface HttpRequest {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** JSON that is sent unchanged instead of `body`, for example because it is signed. */
  text?: string;
}

export type Send = (request: HttpRequest) => Promise<string>;

const HEAD_END = '\r\n\r\n';

/**
 * Makes calls for this time, one after another on each of `connections` keep-alive connections.
 * Returns the answers per second.
 */
export async function load(
  url: string,
  connections: number,
  milliseconds: number,
  call: (send: Send) => Promise<unknown>,
): Promise<number> {
  const opened = await Promise.all(Array.from({ length: connections }, () => HttpConnection.open(url)));
  try {
    return await throughput(connections, milliseconds, (worker) => call((opened[worker] as HttpConnection).send));
  } finally {
    for (const connection of opened) connection.close();
  }
}

/** Sends one request and returns the body of its answer. */
export async function sendOnce(url: string, request: HttpRequest): Promise<string> {
  const connection = await HttpConnection.open(url);
  try {
    return await connection.send(request);
  } finally {
    connection.close();
  }
}

interface Pending {
  request: HttpRequest;
  resolve: (body: string) => void;
  reject: (error: Error) => void;
}

/**
 * Minimal HTTP/1.1 client for our own services, whose answers have a Content-Length. Node's client
 * takes as long for a request as the service does, and both share the cores here.
 */
export class HttpConnection {
  private received = '';
  /** Length of the whole answer in bytes; 0 until its head has arrived. */
  private awaited = 0;
  private pending: Pending | undefined;

  private constructor(private readonly socket: Socket) {
    // With latin1 one byte is one character, so the string has the length of the body. The measured
    // answers are ASCII.
    socket.setEncoding('latin1').setNoDelay(true);
    socket.on('data', (chunk: string) => this.receive(chunk));
    socket.on('error', (error) => this.pending?.reject(error));
    socket.on('close', () =>
      this.pending?.reject(new Error(`${this.pending.request.path}: the connection was closed`)),
    );
  }

  static async open(url: string): Promise<HttpConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  readonly send: Send = (request) =>
    new Promise((resolve, reject) => {
      this.pending = { request, resolve, reject };
      this.socket.write(encode(request));
    });

  close(): void {
    this.socket.destroy();
  }

  private receive(chunk: string): void {
    this.received += chunk;
    if (!this.awaited) {
      const headEnd = this.received.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const bodyLength = Number(/\r\ncontent-length: (\d+)/i.exec(this.received)?.[1]);
      this.awaited = headEnd + HEAD_END.length + bodyLength;
    }
    // V8 joins the chunks only when the string is read, so a long answer is not copied for each
    // chunk.
    if (this.received.length < this.awaited || !this.pending) return;
    const answer = this.received;
    const { request, resolve, reject } = this.pending;
    this.pending = undefined;
    this.received = '';
    this.awaited = 0;
    const body = () => answer.slice(answer.indexOf(HEAD_END) + HEAD_END.length);
    if (answer.startsWith('HTTP/1.1 200 ')) resolve(body());
    else reject(new Error(`${request.method} ${request.path} answered ${answer.split('\r\n')[0] ?? ''}: ${body()}`));
  }
}

function encode({ method, path, headers = {}, body, text }: HttpRequest): string {
  const content = text ?? (body === undefined ? '' : JSON.stringify(body));
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'User-Agent: bench', 'Accept: application/json'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (content) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`);
  return lines.join('\r\n') + HEAD_END + content;
}
