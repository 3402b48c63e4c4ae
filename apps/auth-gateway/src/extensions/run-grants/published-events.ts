import { appOfEvent, isRemoval, requiredKeyScope } from '@platform/contracts';
import { hasScope, appsNarrowing, type OriginKey, type Narrowing } from '@platform/guards';
import type { Row } from '@platform/persistence';
import type { DataSource } from 'typeorm';
import type { StoredPlatformEvent } from '../events/stored-platform-event.entity.js';
import { refusalIn, type EligibilityRequest, type Eligibility } from './run-eligibility.service.js';

/**
 * Period in which an app can be told that its user has removed it. It is longer than all attempts
 * to tell it take.
 */
export const UNINSTALL_NOTICE_PERIOD = '1 hour';

/** A stored event, with the facts that decide which apps receive it. */
export interface PublishedEvent extends Row<
  StoredPlatformEvent,
  'id' | 'tenantId' | 'userId' | 'type' | 'hop' | 'scopes' | 'key' | 'apps'
> {
  /** Developer of the app that published it; null for an event of the platform. */
  publisher_id: string | null;
  /** See `appOfEvent`. */
  about_app: string | null;
  /** See `requiredKeyScope`. */
  key_scope: string | null;
  /** True if the event says that the user has removed `about_app`. */
  is_removal: boolean;
  /** True if it is too late to tell the app about its removal. */
  is_overdue: boolean;
}

interface FoundEvent
  extends Omit<PublishedEvent, 'about_app' | 'key_scope' | 'is_removal'>, Row<StoredPlatformEvent, 'source'> {
  /** Payload of an event of the platform; null for an event of an app. */
  data: Record<string, unknown> | null;
}

/**
 * Returns the stored events with these IDs, by ID. Unknown IDs have no entry. The IDs must be in
 * lower case.
 */
export async function findPublishedEvents(
  dataSource: DataSource,
  ids: readonly string[],
): Promise<Map<string, PublishedEvent>> {
  if (!ids.length) return new Map();
  const events = await dataSource.query<FoundEvent[]>(
    `SELECT e.id, e.tenant_id, e.user_id, e.type, e.hop, e.scopes, e.key, e.apps, a.developer_id AS publisher_id, e.source,
       CASE WHEN e.source_type <> 'extension' THEN e.payload END AS data, e.created_at <= now() - interval '${UNINSTALL_NOTICE_PERIOD}' AS is_overdue
     FROM platform_events e LEFT JOIN apps a ON e.source_type = 'extension' AND a.app_id = e.source WHERE e.id = ANY ($1)`,
    [ids],
  );
  return new Map(
    events.map(({ source, data, ...event }) => {
      const about_app = appOfEvent({ source, type: event.type, data: data ?? {} });
      const told = { source, type: event.type };
      return [event.id, { ...event, about_app, key_scope: requiredKeyScope(told), is_removal: isRemoval(told) }];
    }),
  );
}

/**
 * Returns the input of `RunEligibilityService` for an app that is to receive the event. Without an
 * event, it asks about a run without a user.
 */
export const eligibilityRequestFor = (event: PublishedEvent | null, appId: string): EligibilityRequest => ({
  appId,
  userId: event?.user_id ?? null,
  isUninstalled: event?.is_removal ?? false,
});

/**
 * True if an app receives the event. An event about an app reaches only that app. A removal reaches
 * it only during `UNINSTALL_NOTICE_PERIOD`, and until the user installs the app again. Drafts that
 * an API key deployed receive no events that the key cannot read.
 *
 * @param eligibility result for `eligibilityRequestFor`: the app must be able to act for the user
 * of the event. An event without a user reaches apps of the developer whose app published it.
 */
export function reachesApp(
  { tenant_id, user_id, publisher_id, ...event }: PublishedEvent,
  appId: string,
  eligibility: Eligibility,
): boolean {
  if (event.about_app !== null && event.about_app !== appId) return false;
  if (event.is_removal && event.is_overdue) return false;
  if (refusalIn(eligibility, tenant_id)) return false;
  if (event.key_scope !== null && !mayReceive(eligibility.narrowing, event.key_scope)) return false;
  return user_id === null
    ? publisher_id !== null && publisher_id === eligibility.developer?.userId
    : eligibility.user !== null;
}

/**
 * True if an app with this permission limit can receive events that need the scope. Only a limit by
 * an API key counts.
 *
 * @param narrowing null if a person deployed the app.
 */
export const mayReceive = (narrowing: Pick<Narrowing, 'scopes' | 'key'> | null, keyScope: string): boolean =>
  !narrowing?.key || hasScope(narrowing.scopes, keyScope);

/** Permissions that an event passes on to the runs that it causes. */
export interface EventRights {
  /** Null: all scopes of its user. */
  scopes: readonly string[] | null;
  /** API key that led to the event; null without one. */
  key: OriginKey | null;
  /** Apps that led to the event; null for none. */
  apps: readonly string[] | null;
}

/**
 * Permission limit of the runs that an event causes: they have at most `scopes`, and the limit
 * names the API key and the apps that led to the event. Null (no limit, so all scopes of the user)
 * if `scopes` is null.
 */
export const narrowingOfEvent = ({ scopes, key, apps }: EventRights): Narrowing | null =>
  scopes && { scopes, key, ...appsNarrowing(apps ?? []) };
