import { EmbeddedPostgres } from '@platform/persistence';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrateAndSeed } from '../migrate.js';

const TEMPLATE = 'platform_template';

/** Nothing of it is meant to survive, so it need not wait for the disk, nor write for a replica. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  max_connections: '400',
};

/** A file system in memory, of Linux. There a copy of the template, which is a thousand files, costs a twentieth of what it costs on a disk. */
const MEMORY = '/dev/shm';
/** What the databases of a run take at most, with room to spare. */
const MEMORY_NEEDED = 3 * 1024 ** 3;

/**
 * One PostgreSQL for a whole test run, with a migrated and seeded template database that each test file copies. Tells the tests by
 * the environment: TEST_POSTGRES_URL, and TEST_TEMPLATE for the name of the template.
 */
export async function startTestCluster(): Promise<{ stop(): Promise<void> }> {
  const directory = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'platform-test-'));
  const server = await EmbeddedPostgres.start({ directory, settings: SETTINGS });
  const stop = async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await server.ensureDatabase(TEMPLATE);
    await migrateAndSeed({ DATABASE_URL: server.url(TEMPLATE) });
    await makeCheap(server.url('postgres'));
  } catch (error) {
    await stop();
    throw error;
  }
  process.env['TEST_POSTGRES_URL'] = server.url('postgres');
  process.env['TEST_TEMPLATE'] = TEMPLATE;
  return { stop };
}

function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_NEEDED;
}

async function makeCheap(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  // A database can only be copied while nobody is connected to it.
  await client.query(`ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
  // A service opens some forty connections, and each proves the password: 4,096 hashes on either side unless told otherwise.
  await client.query('SET scram_iterations = 1');
  await client.query(`ALTER ROLE CURRENT_USER PASSWORD '${decodeURIComponent(new URL(url).password)}'`);
  await client.end();
}
