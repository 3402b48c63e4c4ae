import { isUnreachable } from '@platform/platform';
import { createTestDatabase, simulatePostgresKill, TestProxy, type TestDatabase } from '@platform/testing';
import { once } from 'node:events';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.js';
import { DatabaseClient } from './database-client.js';
import { queryPrepared } from './prepared.js';

let database: TestDatabase;
let wire: TestProxy;
let dataSource: DataSource;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());
beforeEach(async () => {
  wire = await TestProxy.start(database.url);
  dataSource = await createDataSource({
    url: wire.url,
    schema: 'gateway',
    poolSize: 2,
    entities: [],
    migrations: [],
  }).initialize();
});
afterEach(async () => {
  await dataSource.destroy();
  await wire.cut();
});

const query = () => dataSource.query<unknown[]>('SELECT 1 AS one');
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

/**
 * No listener is on the connection when it breaks: an `error` event of pg would end the process.
 */
describe('a server that is killed behind an answer', () => {
  it('while the connection passes from one statement to the next fails the next one alone', async () => {
    const busy = dataSource.createQueryRunner();
    await busy.connect();
    await query(); // opens the connection that the two statements below share
    simulatePostgresKill(wire);
    const answered = queryPrepared(dataSource, 'SELECT 1 AS one', []);
    const waiting = failureOf(query());
    expect(await answered).toEqual([{ one: 1 }]);
    expect(isUnreachable(await waiting)).toBe(true);
    expect(await query()).toEqual([{ one: 1 }]);
    await busy.release();
  });

  it('while a connection is new fails the statement that it was opened for', async () => {
    const busy = dataSource.createQueryRunner();
    await busy.connect();
    simulatePostgresKill(wire);
    expect(isUnreachable(await failureOf(query()))).toBe(true);
    expect(await query()).toEqual([{ one: 1 }]);
    await busy.release();
  });
});

describe('a connection', () => {
  it('tells the next who listens that it broke while nobody did', async () => {
    simulatePostgresKill(wire);
    const client = new DatabaseClient({ connectionString: wire.url });
    await client.connect();
    const [error] = (await once(client, 'error')) as [Error];
    expect(isUnreachable(error)).toBe(true);
    await client.end();
  });

  it('closes when a statement gets no answer, so that no other waits behind it', async () => {
    const client = new DatabaseClient({ connectionString: wire.url, query_timeout: 100 });
    await client.connect();
    const ended = once(client, 'end');
    wire.answer = () => undefined;
    expect(isUnreachable(await failureOf(client.query('SELECT 1')))).toBe(true);
    await ended;
    expect(isUnreachable(await failureOf(client.query('SELECT 1')))).toBe(true);
  });

  it('goes on after a statement that the server gave up', async () => {
    const client = new DatabaseClient({ connectionString: wire.url, statement_timeout: 100 });
    await client.connect();
    expect(isUnreachable(await failureOf(client.query('SELECT pg_sleep(20)')))).toBe(true);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  });

  it('waits for an answer a little longer than the server takes to give up', () => {
    const { extra } = dataSource.options as { extra: { query_timeout: number; statement_timeout: number } };
    expect(extra.query_timeout).toBeGreaterThan(extra.statement_timeout);
  });
});
