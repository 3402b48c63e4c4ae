import { DataSource, type DataSourceOptions } from 'typeorm';
import { SnakeCaseNaming } from './naming-strategy.js';

export interface Database {
  url: string;
  /** The PostgreSQL schema that the service owns. */
  schema: string;
  poolSize: number;
  entities: DataSourceOptions['entities'];
  migrations: DataSourceOptions['migrations'];
}

const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A data source on one service's own schema. Every connection finds that schema first, so that SQL needs no prefixes, and gives
 * up a statement after 10 s and a transaction that idles as long.
 */
export function createDataSource({ url, schema, poolSize, entities, migrations }: Database): DataSource {
  return new DataSource({
    type: 'postgres',
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
    extra: {
      options: `-c search_path=${schema}`,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
    },
  });
}
