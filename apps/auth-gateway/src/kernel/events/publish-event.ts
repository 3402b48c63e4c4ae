import {
  PLATFORM_SOURCE,
  sourceTypeOf,
  type EVENT_CATALOGUE,
  type EventPayload,
  type EventType,
} from '@platform/contracts';
import type { OriginKey } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { newUuid } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { EventPositionsService } from './event-positions.service.js';

/** Event of the platform for subscribers of the event stream. */
export interface TypedEvent<Type extends EventType = EventType> {
  type: Type;
  tenantId: string;
  /** Null for events of the whole tenant. */
  userId: (typeof EVENT_CATALOGUE)[Type] extends { audience: 'tenant' } ? null : string;
  data: EventPayload<Type>;
  /**
   * Id for work that can be retried: an event with the same id is published only once. Default: a
   * new UUID.
   */
  id?: string;
}

/** Row of `platform_events` to insert. */
export interface EventToStore {
  id: string;
  type: string;
  tenantId: string;
  userId: string | null;
  /** Id of the app that publishes the event, or `platform`. */
  source: string;
  data: object;
  at: Date;
  hop?: number;
  scopes?: readonly string[] | null;
  key?: OriginKey | null;
  apps?: readonly string[] | null;
}

/**
 * Publishes an event to the subscribers of the event stream if, and only if, the caller's
 * transaction commits. Apps and automations do not receive it; `PlatformEventsService.publish`
 * publishes the events that they can handle. A retry with the same id has no second effect.
 *
 * @returns false, without an event, if one with this id exists already, or if the tenant or the
 * user does not exist or the account is deleted.
 */
export function publishEvent<Type extends EventType>(em: EntityManager, event: TypedEvent<Type>): Promise<boolean> {
  return storeEvent(em, { id: newUuid(), ...event, source: PLATFORM_SOURCE, at: new Date() });
}

/**
 * Inserts an event into the event stream, in the caller's transaction. After the commit it gets its
 * position in the stream.
 *
 * @returns false, without an event, if one with this id exists already, or if the tenant or the
 * user does not exist or the account is deleted.
 */
export async function storeEvent(em: EntityManager, event: EventToStore): Promise<boolean> {
  const { id, type, tenantId, userId, source, data, at, hop = 0, scopes = null, key = null, apps = null } = event;
  const sourceType = source === PLATFORM_SOURCE ? sourceTypeOf(type) : 'extension';
  // FOR KEY SHARE waits for a running deletion of the account; afterwards erased_at is set.
  const whose =
    userId === null
      ? 'SELECT t.id AS tenant_id, $2 AS user_id FROM tenants t WHERE t.id = $tenant'
      : 'SELECT u.tenant_id, u.id AS user_id FROM users u WHERE u.tenant_id = $tenant AND u.id = $2 AND u.erased_at IS NULL FOR KEY SHARE';
  const stored = await new TenantData(em, tenantId).query(
    `WITH whose AS (${whose})
     INSERT INTO platform_events (id, tenant_id, user_id, source_type, source, type, payload, payload_length, hop, scopes, key, apps, at)
     SELECT $1, tenant_id, user_id, $3, $4, $5, $6::jsonb, octet_length($6::jsonb::text), $7, $8, $9, $10, $11 FROM whose
     ON CONFLICT DO NOTHING RETURNING id`,
    [id, userId, sourceType, source, type, JSON.stringify(data), hop, scopes, key && JSON.stringify(key), apps, at],
  );
  if (!stored.length) return false;
  EventPositionsService.forDataSource(em.dataSource)?.placeAfterCommit(em);
  return true;
}
