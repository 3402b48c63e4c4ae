import { createDataSource } from '@platform/persistence';
import { createTestDatabase, simulatePostgresKill, until, TestProxy, type TestDatabase } from '@platform/testing';
import type { DataSource } from 'typeorm';
import { QueueEngine } from './queue-engine.js';

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await createDataSource({
    url: database.url,
    schema: 'gateway',
    poolSize: 1,
    entities: [],
    migrations: [],
  }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

let wire: TestProxy;
let errors: Error[];
let done: unknown[];
let engine: QueueEngine;
let stop: () => Promise<unknown>;
beforeEach(async () => {
  wire = await TestProxy.start(database.url);
  errors = [];
  done = [];
  engine = new QueueEngine({ schema: 'gateway', databaseUrl: wire.url, redisUrl: '' }, (error) => errors.push(error));
});
afterEach(async () => {
  await stop();
  await wire.cut();
});

/** Starts a queue and a worker that records its jobs. */
function start() {
  const queue = engine.queue('work');
  const note = (job: { data: unknown }) => Promise.resolve(done.push(job.data));
  const worker = engine.worker('work', note, { concurrency: 1, backoff: () => 1 });
  const running = worker.run();
  stop = async () => {
    await worker.close();
    await queue.close();
    await running;
  };
  return queue;
}

describe('queues on PostgreSQL that start', () => {
  const outages = {
    'while it is away': { begin: () => wire.cut(), end: () => wire.restore() },
    'before their tables are there': {
      begin: () => dataSource.query('ALTER SCHEMA gateway_queues RENAME TO away'),
      end: () => dataSource.query('ALTER SCHEMA away RENAME TO gateway_queues'),
    },
  };

  it.each(Object.entries(outages))(
    '%s refuse jobs, say why, and work once it is over',
    async (_when, { begin, end }) => {
      await begin();
      const queue = start();
      await expect(queue.add('job', { sent: 'too early' })).rejects.toThrow();
      await until(() => errors.length > 2);
      await end();
      await until(() => queue.add('job', { sent: 'later' }).catch(() => null));
      await until(() => done.length);
      expect(done).toEqual([{ sent: 'later' }]);
    },
  );

  /** The first answers belong to the connections: one for statements, one that listens for jobs. */
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('outlive that it is killed behind answer %i', async (count) => {
    simulatePostgresKill(wire, count);
    const queue = start();
    await until(() => queue.add('job', { count }).catch(() => null));
    await until(() => done.length);
    expect(done).toEqual([{ count }]);
  });
});

describe('a server that does not answer who listens', () => {
  it('is asked again by another connection', async () => {
    let left = 1;
    wire.answer = (packet, client) => {
      if (packet.includes('LISTEN') && left-- > 0) return;
      client.write(packet);
    };
    const limits = '?query_timeout=2000'; // enough for other statements, even on a busy machine
    engine = new QueueEngine({ schema: 'gateway', databaseUrl: wire.url + limits, redisUrl: '' }, (error) =>
      errors.push(error),
    );
    const queue = start();
    await until(() => errors.some(({ message }) => message.includes('Query read timeout')));
    await until(() => queue.add('job', { after: 'it' }).catch(() => null));
    await until(() => done.length);
    expect(done).toEqual([{ after: 'it' }]);
    await until(() => left < 0);
  });
});

describe('many queues and workers of a process', () => {
  const NAMES = Array.from({ length: 12 }, (_, at) => `queue-${at}`);
  const connections = (): Promise<{ pid: number; listens: boolean }[]> =>
    dataSource.query(`SELECT pid, query LIKE '%LISTEN %' AS listens FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);

  const listener = () => until(async () => (await connections()).find(({ listens }) => listens));

  /** Jobs arrive by their notification only; polling takes longer than the test. */
  async function startAll() {
    const queues = NAMES.map((name) => engine.queue(name));
    const workers = NAMES.map((name) =>
      engine.worker(name, () => Promise.resolve(done.push(name)), { concurrency: 2, backoff: () => 1 }),
    );
    const running = workers.map((worker) => worker.run());
    stop = async () => {
      await Promise.all(workers.map((worker) => worker.close()));
      await Promise.all(queues.map((queue) => queue.close()));
      await Promise.all(running);
    };
    const addToAll = () => Promise.all(queues.map((queue) => queue.add('job', {}).catch(() => null)));
    await addToAll();
    await until(() => done.length === NAMES.length);
    return { addToAll };
  }

  it('share five connections, and one that listens', async () => {
    await startAll();
    await listener();
    const open = await connections();
    expect(open.length).toBeLessThanOrEqual(6);
    expect(open.filter(({ listens }) => listens)).toHaveLength(1);
    await stop();
    await until(async () => (await connections()).length === 0);
    const queue = start();
    await queue.add('job', { sent: 'after all were closed' });
    await until(() => done.some((data) => typeof data === 'object'));
  });

  it('hear of jobs again, each of them, when the one that listens was lost', async () => {
    const { addToAll } = await startAll();
    const { pid } = await listener();
    await dataSource.query('SELECT pg_terminate_backend($1)', [pid]);
    await until(() => errors.length > 0);
    await until(async () => (await listener()).pid !== pid);
    await addToAll();
    await until(() => done.length === 2 * NAMES.length);
    expect(new Set(done)).toEqual(new Set(NAMES));
    expect(errors).toHaveLength(1);
  });
});
