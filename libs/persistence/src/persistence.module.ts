import { Global, Inject, Module, type DynamicModule, type INestApplicationContext, type OnApplicationShutdown } from '@nestjs/common';
import { Readiness } from '@platform/platform';
import { DataSource } from 'typeorm';
import { createDataSource, type Database } from './data-source.js';
import { Outbox } from './outbox.js';

/** Gives a service its `DataSource` and `Outbox`. The data source connects in `connectDatabase`, before any module starts. */
@Global()
@Module({})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  static register(database: Database): DynamicModule {
    return {
      module: PersistenceModule,
      providers: [
        { provide: DataSource, useFactory: () => createDataSource(database) },
        { provide: Outbox, useFactory: (dataSource: DataSource) => new Outbox(dataSource), inject: [DataSource] },
      ],
      exports: [DataSource, Outbox],
    };
  }

  /** Last of all: workers and open requests need the database until they are done. */
  async onApplicationShutdown(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}

/** @throws Error when the database cannot be reached, or when migrations are missing. */
export async function connectDatabase(app: INestApplicationContext): Promise<void> {
  const dataSource = app.get(DataSource);
  await dataSource.initialize();
  app.get(Readiness).add({ name: 'database', check: () => assertMigrated(dataSource) });
}

async function assertMigrated(dataSource: DataSource): Promise<void> {
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
  const applied = new Set(rows.map(({ name }) => name));
  const missing = dataSource.migrations.filter(({ name, constructor }) => !applied.has(name ?? constructor.name));
  if (missing.length) throw new Error(`${missing.length} migrations are not applied`);
}
