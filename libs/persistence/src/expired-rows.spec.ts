import { createTestDatabase, type TestDatabase } from '@platform/testing';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.js';
import { deleteExpired, SWEEP_BATCH } from './expired-rows.js';
import { runInTurn } from './run-in-turn.js';

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await createDataSource({
    url: database.url,
    schema: 'gateway',
    poolSize: 4,
    entities: [],
    migrations: [],
  }).initialize();
  await dataSource.query(
    'CREATE TABLE visits (place text, n integer, is_over boolean NOT NULL, PRIMARY KEY (place, n))',
  );
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(() => dataSource.query('TRUNCATE visits'));

const add = (place: string, count: number, isOver: boolean) =>
  dataSource.query('INSERT INTO visits SELECT $1, n, $3 FROM generate_series(1, $2::int) n', [place, count, isOver]);
const sweep = (place: string) => () =>
  deleteExpired(dataSource, { table: 'visits', key: 'place, n', where: `is_over AND place = '${place}' ORDER BY n` });
const left = () =>
  dataSource.query<{ place: string; count: number; first: number }[]>(
    'SELECT place, count(*)::int AS count, min(n) AS first FROM visits GROUP BY place ORDER BY place',
  );

it('deletes a batch, the first ones first, and says how many', async () => {
  await add('here', SWEEP_BATCH + 2, true);
  await add('there', 1, false);
  expect(await sweep('here')()).toBe(SWEEP_BATCH);
  expect(await left()).toEqual([
    { place: 'here', count: 2, first: SWEEP_BATCH + 1 },
    { place: 'there', count: 1, first: 1 },
  ]);
  expect(await sweep('here')()).toBe(2);
  expect(await sweep('here')()).toBe(0);
  expect(await sweep('there')()).toBe(0);
});

it('leaves what somebody holds, without waiting for them', async () => {
  await add('here', 3, true);
  const holder = new Client({ connectionString: database.url, options: '-c search_path=gateway' });
  await holder.connect();
  await holder.query('BEGIN; SELECT FROM visits WHERE n = 2 FOR UPDATE');
  expect(await sweep('here')()).toBe(2);
  await holder.query('COMMIT');
  await holder.end();
  expect(await left()).toEqual([{ place: 'here', count: 1, first: 2 }]);
});

it('goes on until nothing is left, whichever of them has more', async () => {
  await add('here', 3 * SWEEP_BATCH + 1, true);
  await add('there', 2 * SWEEP_BATCH, true);
  expect(await runInTurn([sweep('here'), sweep('there'), sweep('nowhere')])).toBe(true);
  expect(await left()).toEqual([]);
});

it('gives each a turn even when there is time for one only, and says that there is more', async () => {
  await add('here', SWEEP_BATCH + 1, true);
  await add('there', 1, true);
  expect(await runInTurn([sweep('here'), sweep('there')], { maxMs: 0 })).toBe(false);
  expect(await left()).toEqual([{ place: 'here', count: 1, first: SWEEP_BATCH + 1 }]);
  expect(await runInTurn([sweep('here'), sweep('there')], { maxMs: 0 })).toBe(true);
});
