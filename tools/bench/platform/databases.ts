import { EmbeddedPostgres } from '@platform/persistence';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrateAndSeed } from '../../migrate.js';

/** Creates the bench's databases. */
export interface Databases {
  /**
   * Creates a separate migrated and seeded database, even if the name was used before. Returns its
   * URL.
   */
  create(name: string): Promise<string>;
  stop(): Promise<void>;
}

const MIGRATED = 'migrated';

/**
 * Databases on a PostgreSQL of the bench, which waits for the disk at every commit, as in
 * production.
 */
export class OwnDatabases implements Databases {
  private created = 0;

  private constructor(
    private readonly folder: string,
    private readonly postgres: EmbeddedPostgres,
  ) {}

  static async start(): Promise<OwnDatabases> {
    const folder = mkdtempSync(join(tmpdir(), 'platform-bench-'));
    const postgres = await EmbeddedPostgres.start({ directory: folder, settings: { max_connections: '400' } });
    const databases = new OwnDatabases(folder, postgres);
    try {
      await postgres.ensureDatabase(MIGRATED);
      await migrateAndSeed({ DATABASE_URL: postgres.url(MIGRATED) });
      return databases;
    } catch (error) {
      await databases.stop();
      throw error;
    }
  }

  async create(purpose: string): Promise<string> {
    const name = `${purpose}_${++this.created}`;
    const client = new Client(this.postgres.url('postgres'));
    await client.connect();
    try {
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${MIGRATED}`);
    } finally {
      await client.end();
    }
    return this.postgres.url(name);
  }

  async stop(): Promise<void> {
    await this.postgres.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
