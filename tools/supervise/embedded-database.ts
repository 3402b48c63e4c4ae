import { join } from 'node:path';
import { EmbeddedPostgres } from './libraries.js';
import { Restarts, type Restartable, type RestartEvents } from './restarts.js';
import { StartError } from './start-error.js';

const DATABASE = 'platform';
const QUIT_MS = 1_000;

/** The embedded PostgreSQL, restarted if it ends unexpectedly. */
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

  /** Starts the server, and creates the database if it does not exist. */
  start(): Promise<void> {
    this.starting = this.launch();
    return this.starting;
  }

  get url(): string {
    if (!this.server) throw new Error('The embedded PostgreSQL is not running.');
    return this.server.url(DATABASE);
  }

  /** Stops the server. It has `graceMs` for an orderly shutdown, then it is killed. */
  async stop(graceMs: number): Promise<void> {
    this.isStopped = true;
    const quit = setTimeout(() => this.signal('SIGQUIT'), graceMs);
    const kill = setTimeout(() => this.signal('SIGKILL'), graceMs + QUIT_MS);
    await this.starting.catch(() => undefined);
    await this.server?.stop();
    clearTimeout(quit);
    clearTimeout(kill);
  }

  /** Ends the server at once. The next start recovers committed data. */
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
      // Enough connections for the pools and queues of three services, workers beside them, and
      // users who inspect the database.
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
