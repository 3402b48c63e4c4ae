import { EmbeddedPostgres } from '@platform/persistence';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrateAndSeed } from '../migrate.js';

const TEMPLATE = 'platform_template';

/** Nothing of it is meant to survive, so it need not wait for the disk. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

/**
 * One PostgreSQL for a whole test run, with a migrated and seeded template database that each test file copies. Tells the tests by
 * the environment: TEST_POSTGRES_URL, and TEST_TEMPLATE for the name of the template.
 */
export async function startTestCluster(): Promise<{ stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'platform-test-'));
  const server = await EmbeddedPostgres.start({ directory, settings: SETTINGS });
  const stop = async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await server.ensureDatabase(TEMPLATE);
    await migrateAndSeed({ DATABASE_URL: server.url(TEMPLATE) });
    await forbidConnections(server.url('postgres'));
  } catch (error) {
    await stop();
    throw error;
  }
  process.env['TEST_POSTGRES_URL'] = server.url('postgres');
  process.env['TEST_TEMPLATE'] = TEMPLATE;
  return { stop };
}

/** A database can only be copied while nobody is connected to it. */
async function forbidConnections(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(`ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
  await client.end();
}
