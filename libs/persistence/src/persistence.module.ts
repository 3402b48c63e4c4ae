import {
  Global,
  Module,
  type DynamicModule,
  type INestApplicationContext,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ReadinessService } from '@platform/platform';
import { DataSource } from 'typeorm';
import { createDataSource, type Database } from './data-source.js';
import { RetentionService } from './retention.service.js';
import { Outbox } from './outbox.js';

/**
 * Provides `DataSource`, `Outbox` and `RetentionService` to a service. `connectDatabase` connects
 * the data source, before any module starts.
 */
@Global()
@Module({})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(private readonly dataSource: DataSource) {}

  static register(database: Database): DynamicModule {
    return {
      module: PersistenceModule,
      providers: [
        { provide: DataSource, useFactory: () => createDataSource(database) },
        { provide: Outbox, useFactory: (dataSource: DataSource) => new Outbox(dataSource), inject: [DataSource] },
        RetentionService,
      ],
      exports: [DataSource, RetentionService, Outbox],
    };
  }

  /**
   * Closes the connections to the database. It runs last, because workers and open requests need
   * the database until they are done.
   */
  async onApplicationShutdown(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}

/**
 * Connects the database, and adds a check to `/readyz`: the service is not ready while the database
 * is unavailable or lacks migrations. The start does not wait for them.
 *
 * @throws Error if the database cannot be reached.
 */
export async function connectDatabase(app: INestApplicationContext): Promise<void> {
  const dataSource = app.get(DataSource);
  await dataSource.initialize();
  app.get(ReadinessService).addCheck({ name: 'database', check: () => assertMigrated(dataSource) });
}

/**
 * Checks once whether migrations are missing in the connected database; the service repeats this
 * while it waits. Returns a sentence with the command that applies them; null if none are missing.
 */
export async function waitForMigrations(app: INestApplicationContext): Promise<string | null> {
  const missing = await missingMigrations(app.get(DataSource));
  return missing
    ? `The database lacks ${missing === 1 ? 'one migration' : `${missing} migrations`}. Run npm run migrate.`
    : null;
}

async function assertMigrated(dataSource: DataSource): Promise<void> {
  const missing = await missingMigrations(dataSource);
  if (missing) throw new Error(`${missing} migrations are not applied`);
}

async function missingMigrations(dataSource: DataSource): Promise<number> {
  const [{ is_begun: isBegun }] = await dataSource.query<[{ is_begun: boolean }]>(
    "SELECT to_regclass('migrations') IS NOT NULL AS is_begun",
  );
  const rows = isBegun ? await dataSource.query<{ name: string }[]>('SELECT name FROM migrations') : [];
  const applied = new Set(rows.map(({ name }) => name));
  return dataSource.migrations.filter(({ name, constructor }) => !applied.has(name ?? constructor.name)).length;
}
