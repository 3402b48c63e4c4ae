import type { DataSource, EntityManager } from 'typeorm';

/**
 * Runs `read` in a read-only transaction that sees the state of one moment, and returns its result.
 * Rows that others lock or change do not make it wait. A statement that writes fails.
 */
export const readInSnapshot = <Result>(
  dataSource: DataSource,
  read: (em: EntityManager) => Promise<Result>,
): Promise<Result> =>
  dataSource.transaction('REPEATABLE READ', async (em) => {
    await em.query('SET TRANSACTION READ ONLY');
    return read(em);
  });
