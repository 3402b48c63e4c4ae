import { DEFAULT_TENANT } from '@platform/contracts';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import {
  canResume,
  findLastPosition,
  readFollowedEvents,
  readHistory,
} from '../../../apps/auth-gateway/src/extensions/events/stream/stream-events.js';
import { median } from '../comparing/statistics.js';
import type { Measurement } from '../measurement.js';
import type { Sizes } from '../platform/size.js';
import { mark } from '../table.js';
import { fillEvents, userAt, USERS } from './fill-events.js';

const MOST_GROWTH = 1.5;
const SIZES: Sizes<{ few: number; many: number; times: number; back: number }> = {
  full: { few: 10_000, many: 10_000_000, times: 300, back: 10_000 },
  tiny: { few: 200, many: 400, times: 2, back: 200 },
};

interface Reading {
  what: string;
  read: (dataSource: DataSource, last: number) => Promise<unknown>;
}

/**
 * Reads for clients that follow events and for clients that reconnect, always about the same number
 * of events.
 */
const readings = (back: number): Reading[] => [
  { what: 'the last position', read: (dataSource) => findLastPosition(dataSource) },
  {
    what: 'new events of 100 users',
    read: (dataSource, last) =>
      readFollowedEvents(dataSource, {
        after: last - USERS,
        users: Array.from({ length: 100 }, (_value, at) => userAt(at)),
        tenants: [],
      }),
  },
  {
    what: 'new events of a tenant',
    read: (dataSource, last) =>
      readFollowedEvents(dataSource, { after: last - 100, users: [], tenants: [DEFAULT_TENANT] }),
  },
  {
    what: 'no new events, 1,000 users',
    read: (dataSource, last) =>
      readFollowedEvents(dataSource, {
        after: last,
        users: Array.from({ length: USERS }, (_value, at) => userAt(at)),
        tenants: [],
      }),
  },
  { what: 'check if a client can resume', read: (dataSource, last) => canResume(dataSource, last - back / 2, last) },
  {
    what: 'missed events of a user',
    read: (dataSource, last) =>
      readHistory(dataSource, { tenantId: DEFAULT_TENANT, userId: userAt(1), after: last - back, upTo: last }),
  },
  {
    what: 'missed events of a tenant, a page',
    read: (dataSource, last) =>
      readHistory(dataSource, { tenantId: DEFAULT_TENANT, userId: null, after: last - back, upTo: last }),
  },
  {
    what: 'an event written and placed',
    read: async (dataSource) => {
      await dataSource.query(
        `INSERT INTO platform_events (id, tenant_id, source_type, source, type, payload, payload_length, hop, at)
         VALUES (gen_random_uuid(), $1, 'system', 'platform', 'system.tested', '{}', 2, 0, now())`,
        [DEFAULT_TENANT],
      );
      await dataSource.query('SELECT platform_events_place(1000)');
    },
  },
];

/**
 * Compares the stream's own database statements with ten thousand stored events and with ten
 * million, in turns.
 */
export const storedEvents: Measurement = {
  title: 'Event streams with few and many stored events',
  async measure({ platform, rows: wanted, progress }) {
    const { few, times, back, ...usual } = SIZES[platform.size];
    const many = wanted ?? usual.many;
    const [small, large] = [await platform.createDatabase('few_events'), await platform.createDatabase('many_events')];
    progress(`Filling databases with ${few.toLocaleString('en')} and ${many.toLocaleString('en')} events`);
    await fillEvents(small, few);
    await fillEvents(large, many);
    const clients = [small, large].map((connectionString) => new Client({ connectionString }));
    try {
      const sides = await Promise.all(
        clients.map(async (client) => {
          await client.connect();
          await client.query('SET search_path = gateway, public');
          const dataSource = {
            query: async (sql: string, values: unknown[]) => (await client.query<object>(sql, values)).rows,
          } as unknown as DataSource;
          return { dataSource, last: await findLastPosition(dataSource) };
        }),
      );
      const rows: { what: string; ms: [number, number] }[] = [];
      for (const { what, read } of readings(back)) {
        progress(what);
        const taken: [number[], number[]] = [[], []];
        for (let time = 0; time < 2 * times; time++) {
          const { dataSource, last } = sides[time % 2] as (typeof sides)[number];
          const began = performance.now();
          await read(dataSource, last);
          taken[time % 2]?.push(performance.now() - began);
        }
        rows.push({ what, ms: [median(taken[0]), median(taken[1])] });
      }
      const staysFlat = ([one, other]: [number, number]) => other <= MOST_GROWTH * one;
      return {
        table: {
          head: ['', `at ${few.toLocaleString('en')}`, `at ${many.toLocaleString('en')}`, 'growth', 'bar', ''],
          rows: rows.map(({ what, ms }) => [
            `events: ${what}`,
            `${ms[0].toFixed(2)} ms`,
            `${ms[1].toFixed(2)} ms`,
            (ms[1] / ms[0]).toFixed(2),
            `≤ ${MOST_GROWTH}`,
            mark(staysFlat(ms)),
          ]),
        },
        isReached: rows.every(({ ms }) => staysFlat(ms)),
        figures: rows.flatMap(({ ms }) => ms),
      };
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  },
};
