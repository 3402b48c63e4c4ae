import { LedgerService, verifyLedger, WalletsRepository } from '@platform/billing';
import { QueueEngine } from '@platform/messaging';
import { createDataSource } from '@platform/persistence';
import { parseKeyring } from '@platform/platform';
import { createTestDatabase, until, type TestDatabase } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { expireLocks } from './expired-locks.js';
import { freePorts, NO_REGISTRY, productionEnv, ServiceProcess } from './service-process.js';

const KILLS = 5;
const CALLS = 40;
const DEVELOPERS = ['usr_ada', 'usr_grace'];
/** Developer's share of 10 credits. */
const SHARE = 7;

/** The built gateway is killed with SIGKILL while it books earnings of developers. */
let database: TestDatabase;
let dataSource: DataSource;
let client: Client;
let engine: QueueEngine;
let ledger: LedgerService;
let env: NodeJS.ProcessEnv;
let payer: string;
/** Earnings wallets, one for each developer. */
let wallets: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await createDataSource({
    url: database.url,
    schema: 'gateway',
    poolSize: 4,
    entities: [],
    migrations: [],
  }).initialize();
  client = new Client({ connectionString: database.url, options: '-c search_path=gateway' });
  await client.connect();
  engine = new QueueEngine(
    { schema: 'gateway', databaseUrl: database.url, redisUrl: process.env['REDIS_URL'] ?? '' },
    () => undefined,
  );
  ledger = new LedgerService(dataSource);
  const ofUsers = new WalletsRepository(dataSource, ledger);
  for (const id of ['usr_payer', ...DEVELOPERS]) {
    await dataSource.query(
      "INSERT INTO users (id, tenant_id, email, email_canonical) VALUES ($1, 'default', $1 || '@example.com', $1 || '@example.com')",
      [id],
    );
  }
  payer = await ofUsers.ensureWallet('usr_payer');
  wallets = await Promise.all(DEVELOPERS.map((id) => ofUsers.ensureWallet(id, 'earnings')));
  await ledger.credit(payer, {
    key: 'credits',
    amount: 1_000_000,
    kind: 'admin_adjustment',
    source: 'adjustment',
    earns: true,
  });
  const [port, metricsPort] = (await freePorts(2)).map(String);
  const url = `http://127.0.0.1:${port ?? ''}`;
  env = {
    ...productionEnv(database.url, randomBytes(24).toString('base64url')),
    WORKERS: 'inline',
    PORT: port,
    METRICS_PORT: metricsPort,
    PUBLIC_URL: url,
    PANEL_URL: url,
    ...NO_REGISTRY,
    AUTH_GATEWAY_URL: url,
    SMTP_URL: 'smtp://127.0.0.1:1',
  };
});
afterAll(async () => {
  await engine.close();
  await client.end();
  await dataSource.destroy();
  await database.drop();
});

let calls = 0;
/** Makes the same number of charges for each developer's app. */
async function charge(): Promise<void> {
  const charges = Array.from({ length: CALLS }, () => {
    const n = calls++;
    const charged = { appId: 'app', function: 'f', developer: { id: DEVELOPERS[n % 2] as string, split: 70 } };
    return ledger.debit(payer, { key: `call:${n}`, amount: 10, kind: 'call_charge', charged });
  });
  await Promise.all(charges);
}

/** Starts the booking job as if it was due. */
const book = (round: number) =>
  client.query(`INSERT INTO outbox (id, queue, name, payload) VALUES ($1, 'maintenance', 'book-commissions', '{}')`, [
    `job_booking${round}`,
  ]);

/** True if a gateway waits for the locked wallet. */
const isBooking = async (): Promise<boolean> => {
  const { rowCount } = await client.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%ledger_book_earnings%'",
  );
  return Boolean(rowCount);
};
const booked = async (): Promise<number[]> => {
  const { rows } = await client.query<{ balance: string }>(
    'SELECT balance FROM wallets WHERE id = ANY ($1) ORDER BY id',
    [wallets],
  );
  return rows.map(({ balance }) => Number(balance));
};

it(`fault 19: a worker that is killed ${KILLS} times in the middle of booking books each share once, and no job is lost`, async () => {
  for (let kill = 1; kill <= KILLS; kill++) {
    await charge();
    await book(kill);
    const lock = new Client(database.url);
    await lock.connect();
    await lock.query('BEGIN');
    // Locks the second developer's wallet: the shares of the first are already booked.
    await lock.query('SELECT FROM gateway.wallets WHERE id = $1 FOR UPDATE', [wallets[1]]);
    const gateway = await ServiceProcess.start('apps/auth-gateway/src/main.js', env);
    await until(isBooking);
    gateway.kill('SIGKILL');
    await gateway.exited;
    // In every second round the database finishes the killed gateway's statement; otherwise it is
    // aborted.
    if (kill % 2)
      await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid <> pg_backend_pid()",
      );
    await lock.query('COMMIT');
    await lock.end();
    await until(async () => !(await isBooking()));
  }
  await charge();
  await expireLocks(client, engine, 'gateway', ['maintenance']);
  const gateway = await ServiceProcess.start('apps/auth-gateway/src/main.js', env);
  const all = ((KILLS + 1) * CALLS * SHARE) / 2;
  await until(async () => {
    gateway.assertRunning();
    return (await booked()).every((balance) => balance >= all);
  });
  await until(async () => !(await client.query("SELECT FROM outbox WHERE queue = 'maintenance'")).rowCount);
  expect(await gateway.stop()).toBe(0);
  expect(await booked()).toEqual([all, all]);
  const { rows: failed } = await client.query('SELECT id FROM outbox WHERE failed_at IS NOT NULL');
  expect(failed).toEqual([]);
  const lines: string[] = [];
  const keyring = parseKeyring(env['SECRET_KEYS'] ?? ''); // the gateways' keyring, because they sealed meanwhile
  const { problems } = await verifyLedger(dataSource, { keyring, report: (line) => lines.push(line) });
  expect(lines).toEqual([]);
  expect(problems).toBe(0);
}, 300_000);
