import { DataSource } from 'typeorm';
import { NestedConnections } from './nested-connections.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { until } from './until.js';

let database: TestDatabase;
let dataSource: DataSource;
let watching: NestedConnections;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  watching = NestedConnections.watch(dataSource);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

it('finds a transaction that asks for a second connection, unless a spec does', async () => {
  await dataSource.transaction((em) => em.query('SELECT 1'));
  await dataSource.transaction('SERIALIZABLE', (em) => em.query('SELECT 1'));
  await dataSource.query('SELECT 1');
  await dataSource.transaction(() => dataSource.query('SELECT 1'));
  expect(() => watching.expectNone()).not.toThrow();
  setImmediate(dataSource.transaction.bind(dataSource) as (work: unknown) => void, () => dataSource.query('SELECT 1')); // its stack has no line of this spec
  await until(isFound);
  expect(() => watching.expectNone()).toThrow('1 transactions wait for a second connection');
});

function isFound(): boolean {
  try {
    watching.expectNone();
    return false;
  } catch {
    return true;
  }
}
