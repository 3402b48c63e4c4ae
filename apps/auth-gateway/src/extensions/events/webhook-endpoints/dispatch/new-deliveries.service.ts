import { Injectable } from '@nestjs/common';
import { choicesOfEventType, EVENT_CATALOGUE, type EventType } from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import { newId } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { webhookDeliveryQueue } from '../delivering/webhook-deliveries.jobs.js';

/**
 * Most deliveries that can wait for one endpoint. Further ones fail at once, and can be replayed.
 */
export const MAX_BACKLOG = 10_000;

/**
 * By event type: the entries of an endpoint's `event_types` that select it. Other types, such as
 * those of apps, are never sent.
 */
const CHOICES = JSON.stringify(
  Object.fromEntries((Object.keys(EVENT_CATALOGUE) as EventType[]).map((type) => [type, choicesOfEventType(type)])),
);

/**
 * SQL: true if the endpoint `w` selects the event `e` and can receive events of its tenant.
 *
 * @param choices parameter that contains `CHOICES`.
 */
const isSelected = (
  choices: `$${number}`,
): string => `e.position > 0 AND e.source = 'platform' AND (w.all_tenants OR w.tenant_id = e.tenant_id)
  AND w.event_types && ARRAY(SELECT jsonb_array_elements_text(${choices}::jsonb -> e.type))`;

/** An event that an endpoint is to receive. */
export interface SelectedEvent {
  event_id: string;
  user_id: string | null;
  endpoint_id: string;
  tenant_id: string;
}

/** A delivery that is to be tried. */
export interface StartedDelivery {
  id: string;
  endpoint_id: string;
  round: number;
}

/** Range of positions: after the first, up to and including the second. */
export type PositionRange = readonly [after: string, upTo: string];

/** Selects the events for endpoints, and creates their deliveries. */
@Injectable()
export class NewDeliveriesService {
  /** Variable for specs only. */
  maxBacklog = MAX_BACKLOG;

  constructor(private readonly jobs: JobsService) {}

  /**
   * Returns the events of the platform in this range of positions that enabled endpoints of active
   * tenants select, from the time at which the endpoint was created or enabled, once for each such
   * endpoint, in the order of the events. Locks the endpoints against deletion until the
   * transaction ends.
   */
  findSelectedEvents(em: EntityManager, [after, upTo]: PositionRange): Promise<SelectedEvent[]> {
    return em.query<SelectedEvent[]>(
      `SELECT e.id AS event_id, e.user_id, w.id AS endpoint_id, w.tenant_id
       FROM platform_events e JOIN webhook_endpoints w ON w.status = 'enabled' AND e.position > w.from_position
         JOIN tenants t ON t.id = w.tenant_id AND t.is_active
       WHERE e.position > $1 AND e.position <= $2 AND ${isSelected('$3')} ORDER BY e.position FOR KEY SHARE OF w`,
      [after, upTo, CHOICES],
    );
  }

  /**
   * Returns the first `limit` events of a period that one endpoint selects and that have no
   * delivery to it or a failed one. `delivery_id` is the ID of the failed delivery; null without a
   * delivery.
   */
  findMissedEvents(
    em: EntityManager,
    [after, upTo]: PositionRange,
    { endpointId, since, until, limit }: { endpointId: string; since: Date; until: Date; limit: number },
  ): Promise<(SelectedEvent & { position: string; delivery_id: string | null })[]> {
    return em.query<(SelectedEvent & { position: string; delivery_id: string | null })[]>(
      `SELECT e.id AS event_id, e.user_id, e.position, w.id AS endpoint_id, w.tenant_id, d.id AS delivery_id
       FROM platform_events e JOIN webhook_endpoints w ON w.id = $3
         LEFT JOIN webhook_endpoint_deliveries d ON d.endpoint_id = w.id AND d.event_id = e.id
       WHERE e.position > $1 AND e.position <= $2 AND e.created_at >= $4 AND e.created_at < $5 AND (d.id IS NULL OR d.status = 'failed') AND ${isSelected('$7')}
       ORDER BY e.position LIMIT $6`,
      [after, upTo, endpointId, since, until, limit, CHOICES],
    );
  }

  /**
   * Creates deliveries: one per event and endpoint, also if it is called again. Events of users who
   * were deleted meanwhile are left out. If 10,000 deliveries wait for an endpoint, further ones
   * fail at once. Returns the number of new deliveries that wait.
   */
  async createDeliveries(em: EntityManager, chosen: readonly SelectedEvent[]): Promise<number> {
    const there = await this.lockExistingUsers(em, chosen);
    const wanted = chosen.filter(({ user_id }) => user_id === null || there.has(user_id));
    if (!wanted.length) return 0;
    const rooms = await this.getBacklogRooms(em, new Set(wanted.map(({ endpoint_id }) => endpoint_id)));
    const begun = await em.query<(StartedDelivery & { is_full: boolean })[]>(
      `INSERT INTO webhook_endpoint_deliveries AS d
         (id, tenant_id, endpoint_id, event_id, event_type, event_tenant_id, user_id, payload, event_at, status, next_attempt_at, last_error, finished_at)
       SELECT n.id, n.tenant_id, n.endpoint_id, e.id, e.type, e.tenant_id, e.user_id, e.payload, e.at, CASE WHEN n.is_full THEN 'failed' ELSE 'pending' END,
         CASE WHEN NOT n.is_full THEN now() END, CASE WHEN n.is_full THEN 'backlog_full' END, CASE WHEN n.is_full THEN now() END
       FROM unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::boolean[]) AS n (id, tenant_id, endpoint_id, event_id, is_full)
         JOIN platform_events e ON e.id = n.event_id
       ON CONFLICT (endpoint_id, event_id) DO NOTHING RETURNING d.id, d.endpoint_id, d.round, d.status = 'failed' AS is_full`,
      [
        wanted.map(() => newId('whd')),
        wanted.map(({ tenant_id }) => tenant_id),
        wanted.map(({ endpoint_id }) => endpoint_id),
        wanted.map(({ event_id }) => event_id),
        wanted.map(({ endpoint_id }) => !consumeRoom(rooms, endpoint_id)),
      ],
    );
    return this.enqueueDeliveries(
      em,
      begun.filter(({ is_full }) => !is_full),
    );
  }

  /**
   * Begins new rounds of deliveries that failed or arrived. Leaves out deliveries that are being
   * tried, and those for which 10,000 waiting deliveries leave no room. The caller must have locked
   * the endpoint (`lockEnabledEndpoint`). Returns the number of deliveries that begin.
   */
  async restartDeliveries(em: EntityManager, endpointId: string, ids: readonly string[]): Promise<number> {
    if (!ids.length) return 0;
    const room = await this.getBacklogRoom(em, endpointId);
    const [begun] = await em.query<[StartedDelivery[], number]>(
      `UPDATE webhook_endpoint_deliveries SET status = 'pending', round = round + 1, attempts = 0, next_attempt_at = now(), leased_until = NULL, last_error = NULL,
         last_status_code = NULL, finished_at = NULL
       WHERE id = ANY($1) AND endpoint_id = $2 AND status <> 'pending' RETURNING id, endpoint_id, round`,
      [ids.slice(0, room), endpointId],
    );
    return this.enqueueDeliveries(em, begun);
  }

  /**
   * Number of further deliveries that can wait for an endpoint. Under the caller's lock
   * (`lockEnabledEndpoint`), only new events can reduce it.
   */
  async getBacklogRoom(em: EntityManager, endpointId: string): Promise<number> {
    return (await this.getBacklogRooms(em, new Set([endpointId]))).get(endpointId) ?? 0;
  }

  async enqueueDeliveries(em: EntityManager, begun: readonly StartedDelivery[]): Promise<number> {
    const jobs = begun.map(({ id, endpoint_id, round }) => ({ delivery_id: id, endpoint_id, round }));
    if (jobs.length) await this.jobs.enqueueAll(em, webhookDeliveryQueue, 'deliver', jobs);
    return jobs.length;
  }

  /**
   * Returns the IDs of those users of the events who are not deleted, and locks them until the
   * transaction ends. The lock waits for a running account deletion, and then sees it.
   */
  private async lockExistingUsers(em: EntityManager, chosen: readonly SelectedEvent[]): Promise<ReadonlySet<string>> {
    const ids = new Set(chosen.flatMap(({ user_id }) => user_id ?? []));
    if (!ids.size) return ids;
    const rows = await em.query<{ id: string }[]>(
      'SELECT id FROM users WHERE id = ANY($1) AND erased_at IS NULL ORDER BY id FOR KEY SHARE',
      [[...ids]],
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async getBacklogRooms(em: EntityManager, endpointIds: ReadonlySet<string>): Promise<Map<string, number>> {
    const rows = await em.query<{ id: string; waiting: number }[]>(
      `SELECT wanted.id, (SELECT count(*)::int FROM (
         SELECT FROM webhook_endpoint_deliveries d WHERE d.endpoint_id = wanted.id AND d.status = 'pending' LIMIT $2) AS pending) AS waiting
       FROM unnest($1::text[]) AS wanted (id)`,
      [[...endpointIds], this.maxBacklog],
    );
    return new Map(rows.map(({ id, waiting }) => [id, this.maxBacklog - waiting]));
  }
}

function consumeRoom(rooms: Map<string, number>, endpointId: string): boolean {
  const room = rooms.get(endpointId) ?? 0;
  if (room > 0) rooms.set(endpointId, room - 1);
  return room > 0;
}
