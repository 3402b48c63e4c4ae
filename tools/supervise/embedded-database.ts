import { join } from 'node:path';
import { EmbeddedPostgres } from './libraries.js';
import { Restarts, type Restartable, type RestartEvents } from './restarts.js';
import { StartError } from './start-error.js';

const DATABASE = 'platform';
const QUIT_MS = 1_000;

/** The embedded PostgreSQL, started again whenever it ends without being asked to. */
export class EmbeddedDatabase implements Restartable {
  readonly name = 'PostgreSQL';
  private readonly restarts: Restarts;
  private server: EmbeddedPostgres | undefined;
  private starting: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly directory: string,
    private readonly port: number,
    events: RestartEvents,
  ) {
    this.restarts = new Restarts(this, events);
  }

  /** Starts the server and makes the database when it is not there. */
  start(): Promise<void> {
    this.starting = this.launch();
    return this.starting;
  }

  get url(): string {
    if (!this.server) throw new Error('The embedded PostgreSQL does not run.');
    return this.server.url(DATABASE);
  }

  /** Resolves when it is gone; it gets `graceMs` to end in good order. */
  async stop(graceMs: number): Promise<void> {
    this.isStopped = true;
    const quit = setTimeout(() => this.signal('SIGQUIT'), graceMs);
    const kill = setTimeout(() => this.signal('SIGKILL'), graceMs + QUIT_MS);
    await this.starting.catch(() => undefined);
    await this.server?.stop();
    clearTimeout(quit);
    clearTimeout(kill);
  }

  /** Ends it at once. The next start recovers what was committed. */
  kill(): void {
    this.isStopped = true;
    this.signal('SIGQUIT');
  }

  explain(): StartError {
    return new StartError(`PostgreSQL keeps ending. Its log is ${join(this.directory, 'server.log')}`);
  }

  private async launch(): Promise<void> {
    const startedAt = Date.now();
    this.server = await EmbeddedPostgres.start({
      directory: this.directory,
      port: this.port,
      // Room for the pools and queues of three services, for workers beside them, and for whoever looks into the database.
      settings: { max_connections: '200' },
      onUnexpectedExit: () => {
        this.server = undefined;
        if (!this.isStopped) void this.restarts.restart('unexpectedly', startedAt, () => !this.isStopped);
      },
    });
    await this.server.ensureDatabase(DATABASE);
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.server?.pid) process.kill(this.server.pid, signal);
  }
}
