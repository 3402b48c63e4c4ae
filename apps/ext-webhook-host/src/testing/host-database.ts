import { createDataSource } from '@platform/persistence';
import { createTestDatabase } from '@platform/testing';
import type { DataSource } from 'typeorm';
import { database } from '../database.js';

export interface HostDatabase {
  dataSource: DataSource;
  stop: () => Promise<void>;
}

/** Creates a database with the schema of the host. */
export async function startHostDatabase(): Promise<HostDatabase> {
  const { url, drop } = await createTestDatabase();
  const dataSource = await createDataSource(database(url, 12)).initialize();
  return {
    dataSource,
    stop: async () => {
      await dataSource.destroy();
      await drop();
    },
  };
}
