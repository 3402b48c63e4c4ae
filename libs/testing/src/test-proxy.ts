import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxied TCP connection to a server. Tests can cut and restore it at the same address. */
export class TestProxy {
  /** Forwards each packet of the server to the client. */
  answer: (packet: Buffer, client: Socket) => void = (packet, client) => client.write(packet);
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;

  private constructor(private target: URL) {}

  static async start(target: string): Promise<TestProxy> {
    const wire = new TestProxy(new URL(target));
    await wire.restore();
    return wire;
  }

  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  /** Sets the target of future connections. */
  setTarget(target: string): void {
    this.target = new URL(target);
  }

  get connections(): number {
    return this.sockets.size;
  }

  async restore(): Promise<void> {
    const server = createServer((near) => this.join(server, near));
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  async cut(): Promise<void> {
    const closed = new Promise((done) => (this.server ? this.server.close(done) : done(undefined)));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private join(server: Server, near: Socket): void {
    if (!server.listening) {
      near.destroy();
      return;
    }
    const far = connect(Number(this.target.port), this.target.hostname);
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
        this.sockets.delete(socket);
      });
    }
    near.pipe(far);
    far.on('data', (packet: Buffer) => this.answer(packet, near));
    far.on('end', () => near.end());
  }
}
