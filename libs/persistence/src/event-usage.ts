import { Column, Entity, PrimaryColumn, type EntityManager } from 'typeorm';

/** What a stored event takes beside its data, so that empty ones count, too. */
const BESIDE_DATA = 512;

/** How many bytes of events the apps of a developer have published on a day (UTC). Each service that stores them counts for itself. */
@Entity('event_usage')
export class EventUsage {
  /** The developer; the app where it has none. */
  @PrimaryColumn('text') owner!: string;
  @PrimaryColumn('date') day!: string;
  @Column('bigint') bytes!: string;
}

/**
 * Takes an event off what its owner may publish today, at once with whoever else does. False, and nothing is taken, when it would be more
 * than `most` bytes. Others of the owner wait until the transaction ends: take it last.
 */
export async function takeEventBytes(em: EntityManager, owner: string, data: unknown, most: number): Promise<boolean> {
  const bytes = Buffer.byteLength(JSON.stringify(data)) + BESIDE_DATA;
  const taken = await em.query<unknown[]>(
    `INSERT INTO event_usage AS known (owner, day, bytes) SELECT $1::text, (now() AT TIME ZONE 'UTC')::date, $2::bigint WHERE $2::bigint <= $3::bigint
     ON CONFLICT (owner, day) DO UPDATE SET bytes = known.bytes + excluded.bytes WHERE known.bytes + excluded.bytes <= $3::bigint
     RETURNING owner`,
    [owner, bytes, most],
  );
  return taken.length > 0;
}

/** Days that are over, for whoever deletes what serves nothing any more. */
export const PAST_EVENT_USAGE = { table: 'event_usage', key: 'owner, day', where: "day < (now() AT TIME ZONE 'UTC')::date - 1" };
