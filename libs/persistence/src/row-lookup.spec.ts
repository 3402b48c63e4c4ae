import { createTestDatabase, type TestDatabase } from '@platform/testing';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.js';
import { RowLookup } from './row-lookup.js';

let database: TestDatabase;
let dataSource: DataSource;
let cities: RowLookup<{ people: number }>;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await createDataSource({
    url: database.url,
    schema: 'gateway',
    poolSize: 8,
    entities: [],
    migrations: [],
  }).initialize();
  await dataSource.query('CREATE TABLE cities (country text, name text, people integer, PRIMARY KEY (country, name))');
  await dataSource.query("INSERT INTO cities SELECT 'c' || n % 10, 'n' || n, n FROM generate_series(1, 500) n");
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(
  () => (cities = new RowLookup(dataSource, { table: 'cities', key: ['country', 'name'], columns: 'people' })),
);

it('gives each who asks at once their own row, or null, with few statements', async () => {
  const statements = jest.spyOn((dataSource.driver as unknown as { master: Pool }).master, 'query');
  const asked = Array.from({ length: 200 }, (_, n) => n);
  const found = await Promise.all(asked.map((n) => cities.findRow([`c${n % 10}`, `n${n}`])));
  expect(found).toEqual(asked.map((n) => (n === 0 ? null : { people: n })));
  expect(statements.mock.calls.length).toBeLessThan(20);
  statements.mockRestore();
});

it('finds the same row for several, and nothing under half a key', async () => {
  const found = await Promise.all([
    cities.findRow(['c7', 'n7']),
    cities.findRow(['c7', 'n7']),
    cities.findRow(['c8', 'n7']),
  ]);
  expect(found).toEqual([{ people: 7 }, { people: 7 }, null]);
});

it('sees what was written before it was asked', async () => {
  const others = Array.from({ length: 50 }, (_, n) => cities.findRow(['c1', `n${n}`]));
  await dataSource.query("INSERT INTO cities VALUES ('new', 'new', 1)");
  expect(await cities.findRow(['new', 'new'])).toEqual({ people: 1 });
  await Promise.all(others);
});
