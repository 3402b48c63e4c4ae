import { join } from 'node:path';
import type { Context } from './context.js';
import { requireDatabase } from './database-url.js';
import { EmbeddedDatabase } from './embedded-database.js';
import { ManagedProcess, type ProcessDefinition } from './managed-process.js';
import { mailboxProcesses, paymentsProcesses, serviceProcesses } from './processes.js';
import type { RestartEvents } from './restarts.js';
import type { Settings } from './settings.js';

/** The three limits together stay below 10 s, the longest time of a stop. */
const SERVICE_GRACE_MS = 5_500;
const FAKES_GRACE_MS = 500;
const DATABASE_GRACE_MS = 2_000;

/**
 * PostgreSQL, the fakes of other systems (a mailbox, payments) and the services. They start in the
 * order of their dependencies and stop in the reverse order.
 */
export class SupervisedPlatform {
  private database: EmbeddedDatabase | undefined;
  private fakes: ManagedProcess[] = [];
  private services: ManagedProcess[] = [];

  /** `start` adds DATABASE_URL to `env`. */
  constructor(
    private readonly context: Context,
    private readonly settings: Settings,
    private readonly env: NodeJS.ProcessEnv,
    private readonly events: RestartEvents,
  ) {}

  async start(): Promise<void> {
    const { root } = this.context;
    await this.startDatabase();
    await this.migrate();
    const standIns = [...mailboxProcesses(root, this.settings), ...paymentsProcesses(root, this.settings)];
    this.fakes = standIns.map((definition) => this.manage(definition));
    this.services = serviceProcesses(root, this.settings, this.env).map((definition) => this.manage(definition));
    await this.step('Starting the services', 'The services are running', () =>
      startAll([...this.fakes, ...this.services]),
    );
  }

  /** Restarts the services with a new build. */
  async update(): Promise<void> {
    await this.migrate();
    await this.step('Restarting the services', 'The services are running', async () => {
      await stopAll(this.services, SERVICE_GRACE_MS);
      await startAll(this.services);
    });
  }

  async stop(): Promise<void> {
    await stopAll(this.services, SERVICE_GRACE_MS);
    await stopAll(this.fakes, FAKES_GRACE_MS);
    await this.database?.stop(DATABASE_GRACE_MS);
  }

  /** Makes a running `stop` end at once. */
  kill(): void {
    for (const process of [...this.services, ...this.fakes]) process.kill();
    this.database?.kill();
  }

  private async startDatabase(): Promise<void> {
    const { postgresPort } = this.settings;
    const url = this.env['DATABASE_URL'];
    if (!postgresPort && url)
      return this.step('Connecting to PostgreSQL', 'PostgreSQL answers', () => requireDatabase(url));
    const database = new EmbeddedDatabase(join(this.context.root, '.data', 'postgres'), postgresPort ?? 0, this.events);
    this.database = database;
    await this.step('Starting PostgreSQL', 'PostgreSQL is running', () => database.start());
    this.env['DATABASE_URL'] = database.url;
  }

  /** Runs the migrations in a process of their own, since changed sources can bring new ones. */
  private migrate(): Promise<void> {
    const script = join(this.context.root, 'dist', 'tools', 'migrate.js');
    const failure = 'The database could not be migrated, for the reason above. Correct it and start again.';
    return this.step('Migrating the database', 'The database is up to date', () =>
      this.context.runScript(script, this.env, failure),
    );
  }

  private manage(definition: ProcessDefinition): ManagedProcess {
    return new ManagedProcess(definition, this.context.root, this.context.runFile, this.events);
  }

  /** Runs a step. Throws after it if the platform has to stop. */
  private step(doing: string, done: string, work: () => Promise<void>): Promise<void> {
    const { requested, terminal } = this.context;
    requested.throwIfAborted();
    return terminal.step(doing, done, async () => {
      await work();
      requested.throwIfAborted();
    });
  }
}

const startAll = (processes: ManagedProcess[]) =>
  Promise.all(processes.map((process) => process.start())).then(() => undefined);

const stopAll = (processes: ManagedProcess[], graceMs: number) =>
  Promise.all(processes.map((process) => process.stop(graceMs))).then(() => undefined);
