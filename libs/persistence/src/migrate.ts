import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { createDataSource, type Database } from './data-source.js';
import { DatabaseClient } from './database-client.js';

/**
 * The same lock for all schemas, because some statements (CREATE EXTENSION, roles) affect more than
 * a schema. "platform" in ASCII, cut to 63 bits.
 */
const MIGRATION_LOCK = '8101238434190094957';
const TRY_EVERY_MS = 100;

/** Thrown for a database that a version before the first migration created. */
export class OldDatabaseError extends Error {
  override name = 'OldDatabaseError';

  constructor() {
    super(
      'This database is from before version 0.1.0 and cannot be upgraded: begin with an empty one (delete the folder .data, or set DATABASE_URL to ' +
        'another database), or check out the commit that created it to use or export its data.',
    );
  }
}

/**
 * Creates the schema if it does not exist, applies missing migrations, and returns their names;
 * none if all are applied. Safe to call in several processes at once: an advisory lock admits one,
 * and the others then find nothing to do. If a migration fails, its error is thrown, and the
 * earlier ones stay applied.
 *
 * @param afterwards runs after the migrations, still under the lock, also if none were missing.
 * @throws OldDatabaseError if the first applied migration is not one of `database.migrations`.
 */
export async function migrate(
  database: Database,
  afterwards?: (dataSource: DataSource) => Promise<void>,
): Promise<string[]> {
  // Two connections: one holds the lock for the whole time, and the other migrates. A migration can
  // take longer than a request.
  const dataSource = createDataSource({ ...database, poolSize: 3 });
  dataSource.setOptions({ extra: { Client: DatabaseClient, searchPath: database.schema, lock_timeout: 5_000 } });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await takeLock(lock);
    await lock.query(`CREATE SCHEMA IF NOT EXISTS ${database.schema}`);
    await refuseOldDatabase(lock, dataSource);
    const applied = await dataSource.runMigrations();
    await afterwards?.(dataSource);
    return applied.map(({ name }) => name);
  } finally {
    await lock.release();
    await dataSource.destroy(); // ends the session, and with it the lock
  }
}

/**
 * Takes the migration lock. Waits as long as another process holds it. It does not use
 * `pg_advisory_lock`: a statement that waits keeps a snapshot, for which CREATE INDEX CONCURRENTLY
 * of the other process would wait in turn.
 */
async function takeLock(connection: QueryRunner): Promise<void> {
  for (;;) {
    const [row] = (await connection.query(`SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS taken`)) as {
      taken: boolean;
    }[];
    if (row?.taken) return;
    await delay(TRY_EVERY_MS);
  }
}

async function refuseOldDatabase(connection: QueryRunner, { migrations }: DataSource): Promise<void> {
  if (!(await connection.hasTable('migrations'))) return;
  const [first] = (await connection.query('SELECT name FROM migrations ORDER BY id LIMIT 1')) as { name: string }[];
  if (first && !migrations.some(({ name, constructor }) => (name ?? constructor.name) === first.name))
    throw new OldDatabaseError();
}
