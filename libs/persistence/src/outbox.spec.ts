import { createTestDatabase, type TestDatabase } from '@platform/testing';
import { Column, DataSource, Entity, PrimaryColumn, type EntityManager } from 'typeorm';
import { createDataSource } from './data-source.js';
import { onViolation, violatedConstraint } from './errors.js';
import { Outbox } from './outbox.js';

@Entity('travellers')
class Traveller {
  @PrimaryColumn('text') id!: string;
  @Column('text') firstName!: string;
  @Column('integer') age!: number;
}

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = createDataSource({
    url: database.url,
    schema: 'gateway',
    poolSize: 4,
    entities: [Traveller],
    migrations: [],
  });
  await dataSource.initialize();
  await dataSource.query(`
    CREATE TABLE travellers (
      id text PRIMARY KEY,
      first_name text NOT NULL CONSTRAINT travellers_first_name_key UNIQUE,
      age integer NOT NULL CONSTRAINT travellers_age_check CHECK (age >= 0))`);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

describe('the data source', () => {
  it('finds the schema of the service first, on every connection', async () => {
    const runners = Array.from({ length: 4 }, () => dataSource.createQueryRunner());
    const sql =
      "SELECT current_setting('search_path') AS path, 'travellers'::regclass::oid = 'gateway.travellers'::regclass AS table";
    const found = await Promise.all(runners.map((runner) => runner.query(sql) as Promise<unknown>));
    await Promise.all(runners.map((runner) => runner.release()));
    expect(found).toEqual(runners.map(() => [{ path: 'gateway', table: true }]));
  });

  it('gives up a statement and an idle transaction after a while', async () => {
    const [settings] = await dataSource.query<unknown[]>(
      "SELECT current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle",
    );
    expect(settings).toEqual({ statement: '10s', idle: '10s' });
  });

  it('writes camelCase properties to snake_case columns', async () => {
    await dataSource.manager.insert(Traveller, { id: 'ada', firstName: 'Ada', age: 36 });
    expect(await dataSource.query("SELECT first_name FROM gateway.travellers WHERE id = 'ada'")).toEqual([
      { first_name: 'Ada' },
    ]);
    expect(await dataSource.manager.findOneBy(Traveller, { firstName: 'Ada' })).toMatchObject({ id: 'ada', age: 36 });
  });
});

describe('a violated constraint', () => {
  const insert = (traveller: Partial<Traveller>) =>
    dataSource.manager.insert(Traveller, { id: 'x', firstName: 'X', age: 1, ...traveller });
  const taken = onViolation('travellers_first_name_key', () => new Error('the name is taken'));

  it('becomes the error of the feature', async () => {
    await insert({ id: 'grace', firstName: 'Grace' });
    await expect(insert({ firstName: 'Grace' }).catch(taken)).rejects.toThrow('the name is taken');
  });

  it('is thrown on when it is another one', async () => {
    await expect(insert({ age: -1 }).catch(taken)).rejects.toThrow('travellers_age_check');
    await expect(insert({ id: 'grace2', age: undefined }).catch(taken)).rejects.toThrow('not-null');
  });

  it('lets exactly one of 20 racing inserts through', async () => {
    const race = Array.from({ length: 20 }, (_value, at) => insert({ id: `r${at}`, firstName: 'Raced' }).catch(taken));
    const results = await Promise.allSettled(race);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as Error).message] : [],
    );
    expect(new Set(reasons)).toEqual(new Set(['the name is taken']));
  });

  it('is told from every other failure', async () => {
    const failure = await dataSource.query('SELECT * FROM nowhere').catch((error: unknown) => error);
    expect(violatedConstraint(failure)).toBeNull();
    expect(
      violatedConstraint(Object.assign(new Error('mine'), { code: '23505', constraint: 'travellers_first_name_key' })),
    ).toBeNull();
    expect(() => taken(failure)).toThrow('nowhere');
  });
});

describe('the outbox', () => {
  const entries = () => dataSource.query<{ id: string }[]>('SELECT id FROM outbox');
  const entry = { queue: 'mail', name: 'welcome', payload: { user_id: 'usr_1' } };

  it('wakes its listener after the commit, when others can see the entry', async () => {
    const outbox = new Outbox(dataSource);
    const seen: Promise<{ id: string }[]>[] = [];
    outbox.onCommit(() => seen.push(entries()));
    const id = await outbox.transaction(async (em: EntityManager) => {
      const added = await outbox.addEntry(em, entry);
      expect(await entries()).toEqual([]);
      expect(seen).toEqual([]);
      return added;
    });
    expect(id).toMatch(/^job_/);
    expect(seen).toHaveLength(1);
    expect(await seen[0]).toEqual([{ id }]);
    const [row] = await dataSource.query<unknown[]>(
      'SELECT queue, name, payload, dispatched_at, failed_at FROM outbox',
    );
    expect(row).toEqual({ ...entry, dispatched_at: null, failed_at: null });
    await dataSource.query('DELETE FROM outbox');
  });

  it('keeps nothing of a transaction that rolls back, and wakes nobody', async () => {
    const outbox = new Outbox(dataSource);
    const listener = jest.fn();
    outbox.onCommit(listener);
    const work = outbox.transaction(async (em) => {
      await outbox.addEntry(em, entry);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(listener).not.toHaveBeenCalled();
    expect(await entries()).toEqual([]);
  });
});
