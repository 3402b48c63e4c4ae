import { createDataSource } from '@platform/persistence';
import { createTestDatabase } from '@platform/testing';
import type { DataSource } from 'typeorm';
import { database } from '../database.js';

export interface HostDatabase {
  dataSource: DataSource;
  stop: () => Promise<void>;
}

/** The host's schema on a database of its own. */
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
