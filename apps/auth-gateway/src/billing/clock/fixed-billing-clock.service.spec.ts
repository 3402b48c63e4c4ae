import { moveBillingTime } from '@platform/billing';
import { createDataSource } from '@platform/persistence';
import { createTestDatabase, type TestDatabase } from '@platform/testing';
import type { DataSource } from 'typeorm';
import { FixedBillingClockService } from './fixed-billing-clock.service.js';

let database: TestDatabase;
let dataSource: DataSource;
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
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

it('does not start in production where the time of billing is ahead, and fixes it where it is not', async () => {
  const start = (NODE_ENV: 'development' | 'production') =>
    new FixedBillingClockService(dataSource, { NODE_ENV }).onModuleInit();
  await moveBillingTime(dataSource, '32 days');
  await start('development');
  await expect(start('production')).rejects.toThrow('ahead by 32 days');
  await moveBillingTime(dataSource, '0');
  await start('production');
  await expect(moveBillingTime(dataSource, '32 days')).rejects.toThrow(
    'A gateway in production has run on this database',
  );
});
