import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A single address for processes that replace each other, like a load balancer. */
export class TcpRelay {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** URL that new connections go to. */
    public target: string,
  ) {}

  static async start(target: string): Promise<TcpRelay> {
    const server = createServer((client) => relay.pass(client));
    const relay = new TcpRelay(server, target);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Breaks all connections, like a killed process. */
  breakAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.breakAll();
    await closed;
  }

  private pass(client: Socket): void {
    const { hostname, port } = new URL(this.target);
    const service = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => undefined); // `close` follows
      socket.once('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      socket.once('end', () => other.end());
      socket.pipe(other);
    }
  }
}
