import type { DataSource } from 'typeorm';
import { createDataSource, type Database } from './data-source.js';
import { DatabaseClient } from './database-client.js';

/** One lock for all schemas, since some statements (CREATE EXTENSION, roles) reach beyond a schema. "platform" in ASCII, cut to 63 bits. */
const MIGRATION_LOCK = '8101238434190094957';

/**
 * Applies what is not applied yet and returns the names, none when all is current. Any number of processes may call it at once: an
 * advisory lock lets one through, the others then find nothing to do. A migration that fails leaves the ones before it applied.
 */
export async function migrate(database: Database, afterwards?: (dataSource: DataSource) => Promise<void>): Promise<string[]> {
  // Two connections: one holds the lock for the whole time, the other migrates; and a migration may take longer than a request may.
  const dataSource = createDataSource({ ...database, poolSize: 3 });
  dataSource.setOptions({ extra: { Client: DatabaseClient, options: `-c search_path=${database.schema} -c lock_timeout=5s` } });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SET lock_timeout = 0'); // the limit is for migrations; whoever holds this lock may take longer
    await lock.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    await lock.query(`CREATE SCHEMA IF NOT EXISTS ${database.schema}`);
    const applied = await dataSource.runMigrations();
    await afterwards?.(dataSource);
    return applied.map(({ name }) => name);
  } finally {
    await lock.release();
    await dataSource.destroy(); // ends the session, and with it the lock
  }
}
