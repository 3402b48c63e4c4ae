import { EmbeddedPostgres } from '@platform/persistence';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, ServiceProcess } from '../service-process.js';

/** A PostgreSQL with a migrated database for one spec. */
export class RestartablePostgres {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private server: EmbeddedPostgres,
    /** Unique name, because on a shared Redis it also names the queues. */
    private readonly databaseName: string,
  ) {}

  static async start(): Promise<RestartablePostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'platform-restarted-'));
    const [port = 0] = await freePorts(1);
    const server = await EmbeddedPostgres.start({ directory: join(folder, 'postgres'), port });
    const databaseName = `platform_${randomBytes(4).toString('hex')}`;
    await server.ensureDatabase(databaseName);
    expect(await ServiceProcess.run('tools/migrate.js', { DATABASE_URL: server.url(databaseName) })).toBe(0);
    return new RestartablePostgres(folder, port, server, databaseName);
  }

  get url(): string {
    return this.server.url(this.databaseName);
  }

  /**
   * Stops PostgreSQL with a signal (SIGINT: fast, SIGQUIT: immediate) and starts it again on the
   * same port.
   */
  async restart(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    process.kill(this.server.pid as number, signal);
    this.server = await EmbeddedPostgres.start({ directory: join(this.folder, 'postgres'), port: this.port });
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
