import { createDataSource, Outbox } from '@platform/persistence';
import { createLogger } from '@platform/platform';
import { createTestDatabase, until, type TestDatabase } from '@platform/testing';
import type { Queue } from 'bullmq';
import type { DataSource } from 'typeorm';
import { OutboxRelay, type RelayedQueue } from './outbox-relay.js';

let database: TestDatabase;
let dataSource: DataSource;
let relay: OutboxRelay | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await createDataSource({ url: database.url, schema: 'gateway', poolSize: 2, entities: [], migrations: [] }).initialize();
});
afterEach(() => relay?.stop());
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** A queue that takes jobs by `add`. */
const queueThat = (add: (ids: string[]) => Promise<void>): RelayedQueue => {
  const addBulk = (jobs: { opts: { jobId: string } }[]) => add(jobs.map(({ opts }) => opts.jobId));
  return { queue: { addBulk } as unknown as Queue, attempts: 1, share: null };
};

it('hands over again, soon, what the queue refused when the database was away too, and what came after it', async () => {
  const outbox = new Outbox(dataSource);
  const added = await outbox.transaction(async (em) => {
    const first = await outbox.add(em, { queue: 'first', name: 'do', payload: {} });
    return [first, await outbox.add(em, { queue: 'second', name: 'do', payload: {} })];
  });
  let isAway = false;
  const taken: string[] = [];
  const first = queueThat(async (ids) => {
    if (!isAway) {
      await dataSource.query('ALTER TABLE outbox RENAME TO away');
      isAway = true;
      throw new Error('the queue is away');
    }
    taken.push(...ids);
  });
  const second = queueThat((ids) => Promise.resolve(void taken.push(...ids)));
  const queues = new Map([
    ['first', first],
    ['second', second],
  ]);
  relay = new OutboxRelay(dataSource, queues, createLogger('relay', 'silent'));
  relay.start();
  await until(() => isAway);
  await dataSource.query('ALTER TABLE away RENAME TO outbox');
  await until(() => taken.length === 2);
  expect(taken).toEqual(added);
});
