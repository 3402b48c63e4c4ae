import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export interface TestDatabase {
  url: string;
  query: (statement: string, parameters?: unknown[]) => Promise<void>;
  drop: () => Promise<void>;
}

/**
 * Creates a database for one test file, as a copy of the migrated template. Jest's global setup
 * (`tools/jest`) starts the cluster.
 *
 * @throws Error outside of Jest.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { TEST_POSTGRES_URL: admin, TEST_TEMPLATE: template } = process.env;
  if (!admin || !template) throw new Error('Run the tests with Jest from the root of the workspace.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(admin, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: (statement, parameters) => onServer(url.href, statement, parameters),
    drop: () => onServer(admin, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function onServer(url: string, statement: string, parameters: unknown[] = []): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement, parameters);
  } finally {
    await client.end();
  }
}
