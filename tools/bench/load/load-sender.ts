import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';

/**
 * Sends requests without pause, in a process of low priority that uses the processor time that the
 * services leave.
 */

/**
 * Low process priority (19 is the lowest): it yields to other processes, but uses an idle core
 * fully.
 */
const NICENESS = 15;

export interface Sender {
  name: string;
  path: string;
  headers: Record<string, string>;
  /** JSON bodies, sent one after the other, again and again. */
  bodies: string[];
}

export type LoadCommand = { start: { url: string; senders: Sender[] } } | 'stop';

/** Number of answers by status, for each sender. */
export type LoadReport = Record<string, Record<string, number>>;

let goesOn = true;

async function send(url: string, { path, headers, bodies }: Sender, counts: Record<string, number>): Promise<void> {
  const requests = bodies.map((body) => encode(path, headers, body));
  let connection: Connection | undefined;
  for (let at = 0; goesOn; at++) {
    connection ??= await Connection.open(url);
    const status = await connection.ask(requests[at % requests.length] as Buffer);
    counts[status] = (counts[status] ?? 0) + 1;
    if (connection.isOver) connection = undefined;
  }
  connection?.close();
}

/** Minimal HTTP/1.1 client for our services, whose answers all have a Content-Length. */
class Connection {
  isOver = false;
  private received = '';
  private settle: ((status: string) => void) | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1').setNoDelay(true);
    socket.on('data', (chunk: string) => this.receive(chunk));
    socket.on('error', () => this.end('broken'));
    socket.on('close', () => this.end('closed'));
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Connection(socket);
  }

  ask(request: Buffer): Promise<string> {
    return new Promise((settle) => {
      this.settle = settle;
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private end(how: string): void {
    this.isOver = true;
    this.settle?.(how);
  }

  private receive(chunk: string): void {
    this.received += chunk;
    const head = this.received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.received)?.[1] ?? 0);
    if (this.received.length < head + 4 + length) return;
    const status = this.received.slice(9, 12);
    if (/\r\nconnection: close/i.test(this.received.slice(0, head + 2))) this.isOver = true;
    this.received = '';
    this.settle?.(status);
  }
}

function encode(path: string, headers: Record<string, string>, body: string): Buffer {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'User-Agent: bench', 'Content-Type: application/json'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

async function run(url: string, senders: Sender[]): Promise<void> {
  const report: LoadReport = {};
  await Promise.all(senders.map((sender) => send(url, sender, (report[sender.name] ??= {}))));
  process.send?.(report, () => process.exit(0));
}

setPriority(NICENESS);
process.on('message', (command: LoadCommand) => {
  if (command === 'stop') goesOn = false;
  else void run(command.start.url, command.start.senders);
});
process.on('disconnect', () => process.exit(0));
