import { throughApps, type GivenKey, type Narrowing } from '@platform/guards';
import type { DataSource } from 'typeorm';
import { refusalIn, type Standing } from './standings.js';

/** An event that the gateway has. */
export interface PublishedEvent {
  id: string;
  tenant_id: string;
  /** Null for nobody. */
  user_id: string | null;
  type: string;
  hop: number;
  scopes: string[] | null;
  /** The API key that led to it, which has `scopes` then. */
  key: GivenKey | null;
  /** The apps that led to it, beside the one that has published it; null for none. */
  apps: string[] | null;
  /** Whose app has published it; null for the platform's. */
  publisher_id: string | null;
}

/** By their ids, which are in lower case. */
export async function publishedEvents(dataSource: DataSource, ids: readonly string[]): Promise<Map<string, PublishedEvent>> {
  if (!ids.length) return new Map();
  const events = await dataSource.query<PublishedEvent[]>(
    `SELECT e.id, e.tenant_id, e.user_id, e.type, e.hop, e.scopes, e.key, e.apps, a.developer_id AS publisher_id
     FROM platform_events e LEFT JOIN apps a ON e.source_type = 'extension' AND a.app_id = e.source WHERE e.id = ANY ($1)`,
    [ids],
  );
  return new Map(events.map((event) => [event.id, event]));
}

/**
 * Whether an event is for an app.
 *
 * @param standing of the app for the event's user: it may act for them. Of nobody, it is for the apps of the developer whose app has
 *   published it.
 */
export function reaches({ tenant_id, user_id, publisher_id }: PublishedEvent, standing: Standing): boolean {
  if (refusalIn(standing, tenant_id)) return false;
  return user_id === null ? publisher_id !== null && publisher_id === standing.developer?.userId : standing.user !== null;
}

/** Of what an event causes. */
export const narrowingOfEvent = ({ scopes, key, apps }: Pick<PublishedEvent, 'scopes' | 'key' | 'apps'>): Narrowing | null =>
  scopes && { scopes, key, ...throughApps(apps ?? []) };
