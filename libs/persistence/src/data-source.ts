import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { CONNECT_TIMEOUT_MS, DatabaseClient, SESSION_LIMITS } from './database-client.js';
import { SnakeCaseNaming } from './naming-strategy.js';

export interface Database {
  url: string;
  /** The PostgreSQL schema that the service owns. */
  schema: string;
  poolSize: number;
  entities: DataSourceOptions['entities'];
  migrations: DataSourceOptions['migrations'];
}

/**
 * Makes a data source, not yet connected, for a service's own schema. Every connection finds this
 * schema first, so that SQL needs no prefixes.
 */
export function createDataSource({ url, schema, poolSize, entities, migrations }: Database): DataSource {
  return new DataSource({
    type: 'postgres',
    driver: pg, // otherwise TypeORM loads a second copy beside the bundle
    url,
    schema,
    entities,
    migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    logging: false,
    poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: schema,
    extra: { ...SESSION_LIMITS, Client: DatabaseClient, searchPath: schema },
  });
}
