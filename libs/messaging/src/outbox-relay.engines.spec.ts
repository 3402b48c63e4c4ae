import { createDataSource, Outbox } from '@platform/persistence';
import { createLogger } from '@platform/platform';
import { createTestDatabase, until, type TestDatabase } from '@platform/testing';
import type { Queue } from 'bullmq';
import type { DataSource } from 'typeorm';
import { FairShare } from './fair-share.js';
import { DUE, OutboxRelay, type RelayedQueue } from './outbox-relay.js';

let database: TestDatabase;
let dataSource: DataSource;
let relay: OutboxRelay | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await createDataSource({
    url: database.url,
    schema: 'gateway',
    poolSize: 2,
    entities: [],
    migrations: [],
  }).initialize();
});
afterEach(() => relay?.stop());
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** A queue that passes its jobs to `add`. */
const queueThat = (add: (ids: string[]) => Promise<void>): RelayedQueue => {
  const addBulk = (jobs: { opts: { jobId: string } }[]) => add(jobs.map(({ opts }) => opts.jobId));
  return { queue: { addBulk } as unknown as Queue, attempts: 1, givesUp: true, share: null };
};

it('hands over again, soon, what the queue refused when the database was away too, and what came after it', async () => {
  const outbox = new Outbox(dataSource);
  const added = await outbox.transaction(async (em) => {
    const first = await outbox.addEntry(em, { queue: 'first', name: 'do', payload: {} });
    return [first, await outbox.addEntry(em, { queue: 'second', name: 'do', payload: {} })];
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

it('hands over soon what was marked by a statement whose answer was lost', async () => {
  const outbox = new Outbox(dataSource);
  const id = await outbox.transaction((em) => outbox.addEntry(em, { queue: 'lost', name: 'do', payload: {} }));
  const query = dataSource.query.bind(dataSource) as (sql: string, values?: unknown[]) => Promise<unknown>;
  let isLost = false;
  const spy = jest.spyOn(dataSource, 'query').mockImplementation(async (sql, values) => {
    const answer = await query(sql, values as unknown[]);
    if (isLost || !sql.includes('SET dispatched_at = clock_timestamp()')) return answer;
    isLost = true;
    throw new Error('the connection was lost');
  });
  const taken: string[] = [];
  relay = new OutboxRelay(
    dataSource,
    new Map([['lost', queueThat((ids) => Promise.resolve(void taken.push(...ids)))]]),
    createLogger('relay', 'silent'),
  );
  relay.start();
  await until(() => taken.length > 0);
  spy.mockRestore();
  expect([isLost, taken]).toEqual([true, [id]]);
});

/**
 * Starts a relay for one queue with slots for two jobs. One owner has five jobs. Returns the
 * relayed jobs.
 */
async function shareTwo(queue: string): Promise<string[]> {
  const outbox = new Outbox(dataSource);
  const taken: string[] = [];
  const relayed = queueThat((ids) => Promise.resolve(void taken.push(...ids)));
  relay = new OutboxRelay(
    dataSource,
    new Map([[queue, { ...relayed, share: new FairShare(4, 1) }]]),
    createLogger('relay', 'silent'),
  );
  await outbox.transaction((em) =>
    outbox.addEntries(
      em,
      { queue, name: 'do' },
      Array.from({ length: 5 }, () => ({ payload: {}, owner: 'a' })),
    ),
  );
  relay.start();
  await until(() => taken.length === 2);
  return taken;
}

it.each([
  ['is done', 'DELETE FROM outbox WHERE id = ANY ($1)'],
  ['failed', 'UPDATE outbox SET failed_at = now() WHERE id = ANY ($1)'],
  ['waits for its next attempt', "UPDATE outbox SET due_at = now() + interval '1 hour' WHERE id = ANY ($1)"],
])('gives the place of a job that another process ran to the next when it %s', async (state, change) => {
  const taken = await shareTwo(state);
  await dataSource.query(change, [[...taken]]);
  await until(() => taken.length === 4);
  expect(new Set(taken).size).toBe(4);
});

it('gives nobody a second place at a look that does not see all who wait', async () => {
  const outbox = new Outbox(dataSource);
  const share = new FairShare(4, 1);
  const give = jest.spyOn(share, 'assignPlaces').mockReturnValue([]);
  await outbox.transaction((em) =>
    outbox.addEntries(
      em,
      { queue: 'crowded', name: 'do' },
      Array.from({ length: 201 }, (_, at) => ({ payload: {}, owner: `owner ${1_000 + at}` })),
    ),
  );
  const queues = new Map([['crowded', { ...queueThat(() => Promise.resolve()), share }]]);
  relay = new OutboxRelay(dataSource, queues, createLogger('relay', 'silent'));
  relay.start();
  await until(() => give.mock.calls.length >= 2);
  const looks = give.mock.calls.map(([lines, isPart]) => [lines[0]?.owner, lines.at(-1)?.owner, isPart]);
  expect(looks.slice(0, 2)).toEqual([
    ['owner 1000', 'owner 1199', true],
    ['owner 1199', 'owner 1200', true],
  ]);
});

it.each([
  ['does not know it', undefined],
  ['says that it runs', { getState: () => Promise.resolve('active') }],
])('leaves alone what was put back while the sweep asked the queue, which %s', async (answer, job) => {
  const [id] = await shareTwo(answer);
  await dataSource.query("UPDATE outbox SET dispatched_at = now() - interval '1 hour' WHERE id = $1", [id]);
  const getJob = async () => {
    await relay?.postponeJob(id as string, 600_000);
    return job;
  };
  const queues = new Map([
    [answer, { queue: { getJob } as unknown as Queue, attempts: 3, givesUp: true, share: null }],
  ]);
  await new OutboxRelay(dataSource, queues, createLogger('relay', 'silent')).requeueLostJobs();
  const [row] = await dataSource.query<{ waits: boolean }[]>(
    "SELECT due_at = dispatched_at AND due_at > now() + interval '9 minutes' AS waits FROM outbox WHERE id = $1",
    [id],
  );
  expect(row?.waits).toBe(true);
});

it('reads by the index what is due, not all that waits for its next attempt', async () => {
  await dataSource.query(
    `INSERT INTO outbox (id, queue, name, payload, dispatched_at, due_at)
     SELECT 'job_' || at, 'later', 'do', '{}', due, due FROM generate_series(1, 5000) AS at, LATERAL (SELECT now() + at * interval '1 minute' AS due) AS computed`,
  );
  await dataSource.query('ANALYZE outbox');
  const plan = await dataSource.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${DUE}`, [['later'], 500]);
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(
    /Index Cond: \(due_at <= statement_timestamp\(\)\)/,
  );
});
