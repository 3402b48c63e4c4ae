import { Column, Entity, PrimaryColumn, type EntityManager } from 'typeorm';

/** What a stored event takes beside its data, so that empty ones count, too. */
const BESIDE_DATA = 512;

/**
 * How many bytes of events the apps of a developer have published on a day (UTC), in all, for each user, and for nobody. Each service that
 * stores them counts for itself.
 */
@Entity('event_usage')
export class EventUsage {
  /** The developer; the app where it has none. Of what was published for a user, or for nobody: that, a space, and the user's id or `nobody`. */
  @PrimaryColumn('text') owner!: string;
  @PrimaryColumn('date') day!: string;
  @Column('bigint') bytes!: string;
}

/** Of what the apps of a developer may publish: a quarter for one user, as of calls, and half for runs of nobody, which strangers cause by webhooks. */
const OF_ONE_USER = 1 / 4;
const OF_NOBODY = 1 / 2;

/** What stopped an event: what all of a developer's apps may publish, or what they may for one user, or for nobody. */
export interface EventLimit {
  of: 'developer' | 'user' | 'nobody';
  bytes: number;
}

/** `limit`, in a sentence. */
export function describeEventLimit({ of, bytes }: EventLimit): string {
  const whose = { developer: '', user: ' for one user', nobody: ' for nobody, as webhooks and schedules do,' }[of];
  return `The apps of one developer publish at most ${Number((bytes / 1024 / 1024).toFixed(2))} MiB of events${whose} in a day (UTC).`;
}

/**
 * Takes an event for a user, or for nobody (null), off what its owner may publish today, `most` bytes, at once with whoever else does. Not
 * null: a limit is in the way, and the transaction must be rolled back. Others of the owner wait until the transaction ends: take it last.
 */
export async function takeEventBytes(
  em: EntityManager,
  { owner, userId }: { owner: string; userId: string | null },
  data: unknown,
  most: number,
): Promise<EventLimit | null> {
  const bytes = Buffer.byteLength(JSON.stringify(data)) + BESIDE_DATA;
  const limits: EventLimit[] = [
    userId === null ? { of: 'nobody', bytes: Math.floor(most * OF_NOBODY) } : { of: 'user', bytes: Math.floor(most * OF_ONE_USER) },
    { of: 'developer', bytes: most },
  ];
  const rows = [`${owner} ${userId ?? 'nobody'}`, owner];
  // The share first, in every transaction: who has used up theirs takes nothing of the others', and nobody waits in a circle.
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

/** Days that are over, for whoever deletes what serves nothing any more. */
export const PAST_EVENT_USAGE = { table: 'event_usage', key: 'owner, day', where: "day < (now() AT TIME ZONE 'UTC')::date - 1" };
