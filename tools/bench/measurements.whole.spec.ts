import { createTestDatabase, type TestDatabase } from '@platform/testing';
import { MEASUREMENTS } from './measurements.js';
import type { Databases } from './platform/databases.js';
import { BenchPlatform } from './platform/bench-platform.js';

/**
 * Runs every measurement once with tiny inputs against built services, and expects figures. Speed
 * does not matter.
 */
let platform: BenchPlatform;

beforeAll(async () => {
  const made: TestDatabase[] = [];
  const databases: Databases = {
    async create() {
      const database = await createTestDatabase();
      made.push(database);
      return database.url;
    },
    async stop() {
      for (const { drop } of made) await drop();
    },
  };
  platform = await BenchPlatform.start('tiny', databases);
});
afterEach(() => platform.clear());
afterAll(() => platform.stop());

const all = Object.entries(MEASUREMENTS).flatMap(([part, measurements]) =>
  measurements.map((measurement) => ({ part, title: measurement.title, measurement })),
);

it.each(all)('$part: $title', async ({ measurement }) => {
  const { table, text, figures } = await measurement.measure({ platform, rounds: 1, progress: () => undefined });
  expect(figures.length).toBeGreaterThan(0);
  expect(figures.filter((figure) => !Number.isFinite(figure))).toEqual([]);
  expect(`${table?.rows.flat().join('\n') ?? ''}${text ?? ''}`).toMatch(/\d/);
  expect(table?.rows.every((row) => row.length === table.head.length)).not.toBe(false);
});
