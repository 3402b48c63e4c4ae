import { createDataSource } from '@platform/persistence';
import { createTestDatabase, declaredClasses } from '@platform/testing';
import { database, FEATURE_SCHEMAS } from './database.js';

const FOLDER = 'apps/ext-webhook-host/src';
const timeOf = (name: string) => Number(name.slice(-13));

it('has every migration that its entities need', async () => {
  const { url, drop } = await createTestDatabase();
  const dataSource = await createDataSource(database(url, 2)).initialize();
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  await dataSource.destroy();
  await drop();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});

it('has every entity that stands in a folder of a feature', () => {
  const listed = FEATURE_SCHEMAS.flatMap(({ entities = [] }) => entities).map(({ name }) => name);
  const written = declaredClasses(FOLDER, /\.entity\.ts$/, '@Entity(');
  expect(written.length).toBeGreaterThan(10);
  expect(written.filter((name) => !listed.includes(name))).toEqual([]);
});

/**
 * The classes of the baselines differ between the services; databases know all of them by one name.
 */
const nameInDatabase = (name: string): string => name.replace(/^[A-Z][a-z]+(?=Baseline\d)/, '');

it('has every migration that stands in a folder, and runs them in the order of their times', async () => {
  const { url, drop } = await createTestDatabase();
  const dataSource = await createDataSource(database(url, 2)).initialize();
  const applied = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  await dataSource.destroy();
  await drop();
  const written = declaredClasses(FOLDER, /(^|\/)migrations\/\d{13}-[a-z0-9-]+\.ts$/);
  expect(applied.map(({ name }) => name)).toEqual(written.map(nameInDatabase));
  expect(new Set(written.map(timeOf)).size).toBe(written.length);
});
