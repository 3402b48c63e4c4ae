import { Column, Entity, PrimaryColumn, type EntityManager } from 'typeorm';
import type { SchemaPart } from './schema-part.js';

/** Bytes that a stored event takes beside its data, so that empty events count too. */
const BESIDE_DATA = 512;

/**
 * Bytes of the events that a developer's apps have published on a day (UTC): in total, for each
 * user, and without a user. Each service that stores events counts its own.
 */
@Entity('event_usage')
export class EventUsage {
  /**
   * The developer, or the app if it has none. Rows for a user and rows without a user: this name, a
   * space, and the user's id or `nobody`.
   */
  @PrimaryColumn('text') owner!: string;
  @PrimaryColumn('date') day!: string;
  @Column('bigint') bytes!: string;
}

/** Table of `EventUsage`. */
export const eventUsagePart: SchemaPart = {
  tables: `
  CREATE TABLE event_usage (
    owner text NOT NULL,
    day date NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT event_usage_pkey PRIMARY KEY (owner, day)
  ) WITH (fillfactor = 50);`,
};

/**
 * Shares of a developer's limit: a quarter for one user, as with calls, and half for runs without a
 * user, which strangers cause by webhooks.
 */
const OF_ONE_USER = 1 / 4;
const OF_NOBODY = 1 / 2;

/**
 * The limit that stopped an event: of all apps of a developer, of their events for one user, or of
 * their events without a user.
 */
export interface EventLimit {
  of: 'developer' | 'user' | 'nobody';
  bytes: number;
}

/** Describes the limit in a sentence. */
export function describeEventLimit({ of, bytes }: EventLimit): string {
  const whose = {
    developer: '',
    user: ' for one user',
    nobody: ' without a user, such as from webhooks and schedules,',
  }[of];
  return `The apps of one developer can publish at most ${Number((bytes / 1024 / 1024).toFixed(2))} MiB of events${whose} in a day (UTC).`;
}

/**
 * Counts an event, its data as JSON and 512 bytes, towards the bytes that its owner can publish
 * today (UTC): `most` in total, of these a quarter for one user, or half without a user (null).
 * Atomic, and safe in concurrent transactions. Returns null if the event is allowed. Otherwise
 * returns the limit that stops it, and the transaction must be rolled back. Other transactions of
 * the owner wait until this one ends, so call it last.
 */
export async function countEventBytes(
  em: EntityManager,
  { owner, userId }: { owner: string; userId: string | null },
  data: unknown,
  most: number,
): Promise<EventLimit | null> {
  const bytes = Buffer.byteLength(JSON.stringify(data)) + BESIDE_DATA;
  const limits: EventLimit[] = [
    userId === null
      ? { of: 'nobody', bytes: Math.floor(most * OF_NOBODY) }
      : { of: 'user', bytes: Math.floor(most * OF_ONE_USER) },
    { of: 'developer', bytes: most },
  ];
  const rows = [`${owner} ${userId ?? 'nobody'}`, owner];
  // Every transaction updates the share before the total: an event above its share takes nothing
  // from the total, and the same order prevents deadlocks.
  const taken = await em.query<{ owner: string }[]>(
    `INSERT INTO event_usage AS known (owner, day, bytes)
     SELECT owner, (now() AT TIME ZONE 'UTC')::date, $3::bigint
     FROM unnest(ARRAY[$1, $2]::text[], ARRAY[$4, $5]::bigint[]) WITH ORDINALITY AS wanted (owner, most, place)
     WHERE $3::bigint <= most ORDER BY place
     ON CONFLICT (owner, day) DO UPDATE SET bytes = known.bytes + excluded.bytes
       WHERE known.bytes + excluded.bytes <= CASE known.owner WHEN $1 THEN $4::bigint ELSE $5::bigint END
     RETURNING owner`,
    [...rows, bytes, ...limits.map((limit) => limit.bytes)],
  );
  return limits.find((_, at) => !taken.some((row) => row.owner === rows[at])) ?? null;
}

/** Rows of days before yesterday (UTC), for the deletion of expired rows. */
export const PAST_EVENT_USAGE = {
  table: 'event_usage',
  key: 'owner, day',
  where: "day < (now() AT TIME ZONE 'UTC')::date - 1",
};
