import { createTestDatabase, type TestDatabase } from '@platform/testing';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.js';
import { SWEEP_BATCH } from './expired-rows.js';
import { RetentionService } from './retention.service.js';

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
  await dataSource.query('CREATE TABLE visits (n integer PRIMARY KEY, is_over boolean NOT NULL)');
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

it('sweeps what every feature has added, each a batch in turn, after what has to be done before', async () => {
  const retention = new RetentionService(dataSource);
  const done: string[] = [];
  const batches = [SWEEP_BATCH, 1];
  retention.registerExpiredRows({ table: 'visits', key: 'n', where: 'is_over' }, () => {
    done.push('batch');
    return Promise.resolve(batches.shift() ?? 0);
  });
  retention.registerExpiredRows(async () => {
    const [row] = await dataSource.query<[{ count: number }]>('SELECT count(*)::int AS count FROM visits');
    done.push(`${row.count} visits`);
    return 0;
  });
  retention.registerPreparation(async () => {
    done.push('prepared');
    await dataSource.query('INSERT INTO visits SELECT n, true FROM generate_series(1, $1::int) n', [SWEEP_BATCH + 1]);
    await dataSource.query('INSERT INTO visits VALUES (0, false)');
  });
  expect(await retention.deleteExpiredRows()).toBe(true);
  expect(done).toEqual(['prepared', 'batch', '2 visits', 'batch']);
  expect(await dataSource.query('SELECT n FROM visits')).toEqual([{ n: 0 }]);
});

it('deletes nothing when what has to be done before fails', async () => {
  const retention = new RetentionService(dataSource);
  const batch = jest.fn().mockResolvedValue(0);
  retention.registerExpiredRows(batch);
  retention.registerPreparation(() => Promise.reject(new Error('no partition')));
  await expect(retention.deleteExpiredRows()).rejects.toThrow('no partition');
  expect(batch).not.toHaveBeenCalled();
});
