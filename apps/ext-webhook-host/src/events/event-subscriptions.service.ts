import { Injectable } from '@nestjs/common';
import type { Subscription } from '@platform/app-document';
import { PLATFORM_SOURCE, type EventAudienceResponse } from '@platform/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { DeployedAppsService } from '../kernel/deployed/deployed-apps.service.js';
import { GatewayClient, type AppRuntime } from '../kernel/gateway/gateway.client.js';
import type { StoredEvent } from '../kernel/event-bus/stored-event.entity.js';

/** An app that receives an event. */
export interface Subscriber {
  appId: string;
  developerId: string;
  /** True if the same developer made the app that published the event. */
  isOwn: boolean;
}

/** With fewer subscriptions than this, the gateway is asked about all of their apps. */
const MANY = 100;
/** Limit of the gateway for one request. */
const APPS_AT_ONCE = 1_000;

/**
 * Types of subscriptions that match the type of an event: the type itself, then its beginnings up
 * to each `.` or `:` with a `*`, the longest first.
 */
export function matchingSubscriptionTypes(type: string): string[] {
  const wider = [...type.matchAll(/[.:]/g)].map(({ index }) => `${type.slice(0, index + 1)}*`);
  return [type, ...wider.reverse()];
}

interface SubscribedApp {
  app_id: string;
  developer_id: string;
}

/** Finds the apps that handle an event. */
@Injectable()
export class EventSubscriptionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly apps: DeployedAppsService,
    private readonly gateway: GatewayClient,
  ) {}

  /**
   * Replaces the subscriptions of an app. An app that is suspended, or runs no version (null), has
   * none.
   */
  async replaceSubscriptions(
    em: EntityManager,
    appId: string,
    runtime: AppRuntime | null,
    declared: readonly Subscription[],
  ): Promise<void> {
    const types = runtime && !runtime.is_suspended ? declared.map(({ type }) => type) : [];
    await em.query('DELETE FROM event_subscriptions WHERE app_id = $1 AND type <> ALL ($2)', [appId, types]);
    if (!runtime || !types.length) return;
    await em.query(
      `INSERT INTO event_subscriptions (app_id, type, version, sha256, developer_id)
       SELECT $1, type, $3, $4, $5 FROM unnest($2::text[]) AS type
       ON CONFLICT (app_id, type) DO UPDATE SET version = excluded.version, sha256 = excluded.sha256, developer_id = excluded.developer_id`,
      [appId, types, runtime.version, runtime.sha256, runtime.developer_id],
    );
  }

  /**
   * Apps that receive an event, among those that subscribe to its type. The gateway decides: an
   * event of a user reaches the apps that the user has; an event without a user reaches the apps of
   * the developer of the publishing app.
   *
   * @throws ServiceUnavailable if the gateway is unreachable.
   */
  async findSubscribers({ id, type, source }: Pick<StoredEvent, 'id' | 'type' | 'source'>): Promise<Subscriber[]> {
    const types = matchingSubscriptionTypes(type);
    const few = await this.subscribed('type = ANY ($1) LIMIT $2', [types, MANY]);
    const found = distinct(few.length < MANY ? few : await this.ofAudience(id, types));
    if (!found.length) return [];
    const publisher = source === PLATFORM_SOURCE ? null : await this.apps.findApp(source);
    const reached = new Set<string>();
    for (let at = 0; at < found.length; at += APPS_AT_ONCE) {
      const app_ids = found.slice(at, at + APPS_AT_ONCE).map(({ app_id }) => app_id);
      for (const app of await this.gateway.findEventSubscribers({ event_id: id, app_ids })) reached.add(app);
    }
    return found
      .filter(({ app_id }) => reached.has(app_id))
      .map(({ app_id, developer_id }) => ({
        appId: app_id,
        developerId: developer_id,
        isOwn: developer_id === publisher?.developer_id,
      }));
  }

  /**
   * Subscribers of a type with very many subscriptions: only apps that the event could reach. So
   * drafts of other developers are not asked about, however many there are.
   *
   * @throws ServiceUnavailable if the gateway is unreachable.
   */
  private async ofAudience(eventId: string, types: string[]): Promise<SubscribedApp[]> {
    const found: SubscribedApp[] = [];
    let page: EventAudienceResponse | undefined;
    do {
      const after = page?.app_ids.at(-1);
      page = await this.gateway.listEventAudience({ event_id: eventId, ...(after !== undefined && { after }) });
      found.push(...(await this.subscribed('type = ANY ($1) AND app_id = ANY ($2)', [types, page.app_ids])));
    } while (page.has_more);
    return found;
  }

  private subscribed(condition: string, values: unknown[]): Promise<SubscribedApp[]> {
    return this.dataSource.query(`SELECT app_id, developer_id FROM event_subscriptions WHERE ${condition}`, values);
  }
}

/** Each app once, ordered by id. */
const distinct = (apps: readonly SubscribedApp[]): SubscribedApp[] =>
  [...new Map(apps.map((app) => [app.app_id, app])).values()].sort(({ app_id: one }, { app_id: other }) =>
    one < other ? -1 : 1,
  );
