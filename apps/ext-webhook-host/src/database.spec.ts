import { createDataSource } from '@platform/persistence';
import { createTestDatabase } from '@platform/testing';
import { database } from './database.js';

it('has every migration that its entities need', async () => {
  const { url, drop } = await createTestDatabase();
  const dataSource = await createDataSource(database(url, 2)).initialize();
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  await dataSource.destroy();
  await drop();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});
