import type { DataSource, EntityManager } from 'typeorm';

/** Reads the state of one moment. Writes nothing, and waits for no locks. */
export const inSnapshot = <Result>(dataSource: DataSource, read: (em: EntityManager) => Promise<Result>): Promise<Result> =>
  dataSource.transaction('REPEATABLE READ', async (em) => {
    await em.query('SET TRANSACTION READ ONLY');
    return read(em);
  });
