import { requiredKeyScope } from '@platform/contracts';
import { columns, type RowOf } from '@platform/persistence';
import type { DataSource } from 'typeorm';
import { StoredPlatformEvent } from '../stored-platform-event.entity.js';

const PAGE = 200;
const PAGE_BYTES = 128 * 1024;
/** Most positions that one statement searches for the events of a tenant. */
const MAX_SEARCHED_POSITIONS = 10_000;

const COLUMNS = columns(StoredPlatformEvent, ['position', 'tenantId', 'userId', 'sourceType', 'source', 'type', 'at']);
type EventRow = RowOf<typeof COLUMNS> & { payload: string };

/** An event as followers receive it. */
export class StreamEvent {
  readonly position: number;
  readonly tenantId: string;
  readonly userId: string | null;
  readonly sourceType: string;
  /**
   * Scope that an API key needs to receive this event, besides the scope to follow events; null for
   * none.
   */
  readonly keyScope: string | null;
  private encoded: Buffer | undefined;

  constructor(private readonly row: EventRow) {
    this.position = Number(row.position);
    this.tenantId = row.tenant_id;
    this.userId = row.user_id;
    this.sourceType = row.source_type;
    this.keyScope = requiredKeyScope(row);
  }

  /**
   * The event in the format of Server-Sent Events:
   * https://html.spec.whatwg.org/multipage/server-sent-events.html. Made once for all receivers.
   */
  get frame(): Buffer {
    const { type, payload, at } = this.row;
    return (this.encoded ??= Buffer.from(
      `id: ${this.position}\ndata: {"type":${JSON.stringify(type)},"payload":${payload},"ts":${JSON.stringify(at)}}\n\n`,
    ));
  }
}

/**
 * SQL for one page: the first events that match `condition`, up to `PAGE` rows and `PAGE_BYTES` of
 * payload, but at least one. `found` counts the rows before the limit of bytes. Payloads stay JSON
 * text, and are read only for returned rows.
 */
const pageSql = (condition: string): string => `
  SELECT ${COLUMNS}, payload::text AS payload, found FROM (
    SELECT p.*, (count(*) OVER ())::int AS found, sum(p.length) OVER (ORDER BY p.position) - p.length AS ahead
    FROM (SELECT ${COLUMNS}, payload, payload_length AS length FROM platform_events e
          WHERE e.position > 0 AND ${condition} ORDER BY e.position LIMIT ${PAGE}) AS p
  ) AS counted WHERE ahead < ${PAGE_BYTES} ORDER BY position`;

/** Position of the last event; 0 if there is none. */
export async function findLastPosition(dataSource: DataSource): Promise<number> {
  const [row] = await dataSource.query<[{ position: string }]>(
    'SELECT coalesce(max(position), 0) AS position FROM platform_events WHERE position > 0',
  );
  return Number(row.position);
}

interface Page {
  events: StreamEvent[];
  /** All requested events up to this position are in this page and the pages before it. */
  upTo: number;
  hasMore: boolean;
}

/**
 * Makes the page of the events in `rows`.
 *
 * @param end position up to which the statement searched.
 */
function pageOf(rows: readonly (EventRow & { found: number })[], end: number): Page {
  const events = rows.map((row) => new StreamEvent(row));
  const found = rows[0]?.found ?? 0;
  const hasMore = found === PAGE || events.length < found;
  return { events, hasMore, upTo: hasMore ? (events.at(-1) as StreamEvent).position : end };
}

/**
 * Returns a page of events after a position: those of these users, and all events of these tenants.
 */
export async function readFollowedEvents(
  dataSource: DataSource,
  { after, users, tenants }: { after: number; users: string[]; tenants: string[] },
): Promise<Page> {
  // PostgreSQL would estimate each element of a list in `ANY` when it plans the statement.
  const rows = await dataSource.query<(EventRow & { head: string; found: number | null })[]>(
    `SELECT head.position AS head, followed.*
     FROM (SELECT coalesce(max(position), 0) AS position FROM platform_events WHERE position > 0) AS head
     LEFT JOIN LATERAL (${pageSql(`e.position > $1 AND e.position <= head.position
       AND (e.user_id IN (SELECT unnest($2::text[])) OR e.tenant_id IN (SELECT unnest($3::text[])))`)}
     ) AS followed ON true ORDER BY followed.position`,
    [after, users, tenants],
  );
  const found = rows.filter((row): row is typeof row & { found: number } => row.found !== null);
  return pageOf(found, Math.max(after, Number(rows[0]?.head)));
}

/** Part of a history: after `after`, up to and including `upTo`. */
export interface HistoryRange {
  tenantId: string;
  /** Null: all users in the tenant. */
  userId: string | null;
  after: number;
  upTo: number;
}

/**
 * Returns a page of the events of a user or a tenant in a part of the history. It can be empty
 * although there are more: continue after `upTo` of the page.
 */
export async function readHistory(
  dataSource: DataSource,
  { tenantId, userId, after, upTo }: HistoryRange,
): Promise<Page> {
  // Events of a user have an index.
  const end = userId === null ? Math.min(upTo, after + MAX_SEARCHED_POSITIONS) : upTo;
  const rows = await dataSource.query<(EventRow & { found: number })[]>(
    pageSql(`e.position > $2 AND e.position <= $3 AND e.tenant_id = $1 ${userId === null ? '' : 'AND e.user_id = $4'}`),
    [tenantId, after, end, ...(userId === null ? [] : [userId])],
  );
  return pageOf(rows, end);
}

/**
 * True if a client can continue after this position without a gap: all events after it, up to
 * `upTo`, from the last 24 hours are still stored. False if the first event after it is older, if
 * the event at the position was deleted and perhaps later ones too, and if the position never
 * existed.
 */
export async function canResume(dataSource: DataSource, after: number, upTo: number): Promise<boolean> {
  if (after === upTo) return true;
  if (after > upTo) return wasPositionAssigned(dataSource, after);
  const [row] = await dataSource.query<[{ is_whole: boolean }]>(
    `SELECT coalesce(next.created_at > now() - interval '24 hours', true)
       AND (next.position = $1 + 1 OR EXISTS (SELECT FROM platform_events WHERE position = $1 AND position > 0)) AS is_whole
     FROM (SELECT 1) AS one LEFT JOIN LATERAL (
       SELECT position, created_at FROM platform_events WHERE position > 0 AND position > $1 ORDER BY position LIMIT 1
     ) AS next ON true`,
    [after],
  );
  return row.is_whole;
}

/** True if the position was assigned: the client's previous process may be ahead of this one. */
async function wasPositionAssigned(dataSource: DataSource, position: number): Promise<boolean> {
  const [row] = await dataSource.query<[{ was_given: boolean }]>(
    'SELECT is_called AND last_value >= $1 AS was_given FROM platform_events_position_seq',
    [position],
  );
  return row.was_given;
}
