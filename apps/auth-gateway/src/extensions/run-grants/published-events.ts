import { aboutApp, isRemoval, keyScopeToHear } from '@platform/contracts';
import { hasScope, throughApps, type GivenKey, type Narrowing } from '@platform/guards';
import type { Row } from '@platform/persistence';
import type { DataSource } from 'typeorm';
import type { StoredPlatformEvent } from '../events/platform-event.entity.js';
import { refusalIn, type Asked, type Eligibility } from './run-eligibility.js';

/** How long an app may still be told that its user has removed it: longer than the attempts to tell it take. */
export const UNINSTALL_NOTICE_PERIOD = '1 hour';

/** An event that the gateway has. */
export interface PublishedEvent extends Row<
  StoredPlatformEvent,
  'id' | 'tenantId' | 'userId' | 'type' | 'hop' | 'scopes' | 'key' | 'apps'
> {
  /** Whose app has published it; null for the platform's. */
  publisher_id: string | null;
  /** See `aboutApp`. */
  about_app: string | null;
  /** See `keyScopeToHear`. */
  key_scope: string | null;
  /** Whether it says that the user has removed that app. */
  is_removal: boolean;
  /** Of a removal: that it is too late to tell it. */
  is_overdue: boolean;
}

interface FoundEvent extends Omit<PublishedEvent, 'about_app' | 'key_scope' | 'is_removal'>, Row<StoredPlatformEvent, 'source'> {
  /** Of the platform's own. */
  data: Record<string, unknown> | null;
}

/** By their ids, which are in lower case. */
export async function publishedEvents(dataSource: DataSource, ids: readonly string[]): Promise<Map<string, PublishedEvent>> {
  if (!ids.length) return new Map();
  const events = await dataSource.query<FoundEvent[]>(
    `SELECT e.id, e.tenant_id, e.user_id, e.type, e.hop, e.scopes, e.key, e.apps, a.developer_id AS publisher_id, e.source,
       CASE WHEN e.source_type <> 'extension' THEN e.payload END AS data, e.created_at <= now() - interval '${UNINSTALL_NOTICE_PERIOD}' AS is_overdue
     FROM platform_events e LEFT JOIN apps a ON e.source_type = 'extension' AND a.app_id = e.source WHERE e.id = ANY ($1)`,
    [ids],
  );
  return new Map(
    events.map(({ source, data, ...event }) => {
      const about_app = aboutApp({ source, type: event.type, data: data ?? {} });
      const told = { source, type: event.type };
      return [event.id, { ...event, about_app, key_scope: keyScopeToHear(told), is_removal: isRemoval(told) }];
    }),
  );
}

/** As what an app has to stand to be told of an event. */
export const askedFor = (event: PublishedEvent | null, appId: string): Asked => ({
  appId,
  userId: event?.user_id ?? null,
  isUninstalled: event?.is_removal ?? false,
});

/**
 * Whether an event is for an app. What is about an app is for that one alone, and its removal only for a while and until the user has it
 * again. What an API key may not read is not for the drafts that it deployed.
 *
 * @param eligibility of the app as `askedFor` the event: it may act for its user. Of nobody, it is for the apps of the developer whose app
 *   has published it.
 */
export function reaches({ tenant_id, user_id, publisher_id, ...event }: PublishedEvent, appId: string, eligibility: Eligibility): boolean {
  if (event.about_app !== null && event.about_app !== appId) return false;
  if (event.is_removal && event.is_overdue) return false;
  if (refusalIn(eligibility, tenant_id)) return false;
  if (event.key_scope !== null && !mayHear(eligibility.narrowing, event.key_scope)) return false;
  return user_id === null ? publisher_id !== null && publisher_id === eligibility.developer?.userId : eligibility.user !== null;
}

/** Whether what was led to by an API key, if it was, may hear of what takes this scope. @param narrowing null for what a person did. */
export const mayHear = (narrowing: Pick<Narrowing, 'scopes' | 'key'> | null, keyScope: string): boolean =>
  !narrowing?.key || hasScope(narrowing.scopes, keyScope);

/** What an event leaves to what it causes, as the event says it. */
export interface RightsOfEvent {
  /** Null: all that its user holds. */
  scopes: readonly string[] | null;
  /** The API key that led to it; null without one. */
  key: GivenKey | null;
  /** The apps that led to it; null for none. */
  apps: readonly string[] | null;
}

/** Of what an event causes. */
export const narrowingOfEvent = ({ scopes, key, apps }: RightsOfEvent): Narrowing | null =>
  scopes && { scopes, key, ...throughApps(apps ?? []) };
