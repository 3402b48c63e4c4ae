import { createTestDatabase, type TestDatabase } from '@platform/testing';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Database } from './data-source.js';
import { migrate } from './migrate.js';

class Things1700000000000 implements MigrationInterface {
  name = 'Things1700000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE things (id integer PRIMARY KEY)');
    await runner.query('SELECT pg_sleep(0.1)'); // long enough for the others to start
    await runner.query('INSERT INTO things VALUES (1)');
  }
  async down(): Promise<void> {}
}

class ThingsIndex1700000000002 implements MigrationInterface {
  name = 'ThingsIndex1700000000002';
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT pg_sleep(0.1)');
    await runner.query('CREATE INDEX CONCURRENTLY things_id ON things (id)');
  }
  async down(): Promise<void> {}
}

class Broken1700000000001 implements MigrationInterface {
  name = 'Broken1700000000001';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('INSERT INTO things VALUES (2)');
    await runner.query('INSERT INTO things VALUES (1)');
  }
  async down(): Promise<void> {}
}

let test: TestDatabase;
let client: Client;
beforeAll(async () => {
  test = await createTestDatabase();
  client = new Client(test.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await test.drop();
});

const database = (schema: string, migrations: Database['migrations'] = [Things1700000000000]): Database => ({
  url: test.url,
  schema,
  poolSize: 2,
  entities: [],
  migrations,
});
const things = async (schema: string) =>
  (await client.query<{ id: number }>(`SELECT id FROM ${schema}.things`)).rows.map(({ id }) => id);

describe('migrate', () => {
  it('applies every migration once, though four processes call it at once', async () => {
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database('four'))));
    expect(applied.flat()).toEqual(['Things1700000000000']);
    expect(await things('four')).toEqual([1]);
    expect(await migrate(database('four'))).toEqual([]);
  });

  it('lets one make an index without a lock while others wait', async () => {
    await migrate(database('indexed'));
    const both = database('indexed', [Things1700000000000, ThingsIndex1700000000002]);
    const applied = await Promise.all([migrate(both), migrate(both), migrate(both)]);
    expect(applied.flat()).toEqual(['ThingsIndex1700000000002']);
  });

  it('runs what comes afterwards under the same lock, each time', async () => {
    let running = 0;
    const seed = async () => {
      expect(++running).toBe(1);
      await client.query('SELECT pg_sleep(0.05)');
      running--;
    };
    await Promise.all([migrate(database('seeded'), seed), migrate(database('seeded'), seed)]);
    expect(running).toBe(0);
  });

  it('keeps the migrations before one that fails, nothing of that one, and lets the next call go on', async () => {
    const broken = database('broken', [Things1700000000000, Broken1700000000001]);
    const log = jest.spyOn(console, 'log').mockImplementation(); // TypeORM prints the failure there
    await expect(migrate(broken)).rejects.toThrow('things_pkey');
    log.mockRestore();
    expect(await things('broken')).toEqual([1]);
    await client.query('DELETE FROM broken.things');
    expect(await migrate(broken)).toEqual(['Broken1700000000001']);
  });

  it('refuses a database whose first migration it does not know', async () => {
    await migrate(database('old'));
    await expect(migrate(database('old', [ThingsIndex1700000000002]))).rejects.toThrow('is from before version 0.1.0');
    expect(await things('old')).toEqual([1]);
  });

  it('waits for another process for as long as that one takes', async () => {
    await migrate(database('patient'));
    await client.query('SELECT pg_advisory_lock(8101238434190094957)');
    let done = false;
    const waiting = migrate(database('patient')).finally(() => (done = true));
    // Longer than the 5 s for which a migration waits for a lock.
    await client.query('SELECT pg_sleep(5.3)');
    const early = done;
    await client.query('SELECT pg_advisory_unlock(8101238434190094957)');
    expect(await waiting).toEqual([]);
    expect(early).toBe(false);
  });
});
