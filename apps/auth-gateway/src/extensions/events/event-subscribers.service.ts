import { Injectable } from '@nestjs/common';
import {
  EVENT_AUDIENCE_PAGE,
  type EventAudienceRequest,
  type EventAudienceResponse,
  type EventSubscribersRequest,
  type EventSubscribersResponse,
} from '@platform/contracts';
import { DataSource } from 'typeorm';
import {
  eligibilityRequestFor,
  findPublishedEvents,
  reachesApp,
  type PublishedEvent,
} from '../run-grants/published-events.js';
import { APPS_OF_DEVELOPER, APPS_OF_USER } from '../run-grants/eligibility-rows.js';
import { RunEligibilityService, type Eligibility } from '../run-grants/run-eligibility.service.js';

/** Apps per statement. Between two statements, runs of other users get their turn. */
const ELIGIBILITIES_AT_ONCE = 100;

/** A page of the apps that an event could reach. */
interface CandidatePage {
  /** Null: all apps. */
  among: readonly string[] | null;
  after: string;
  limit: number;
}

/** Finds the apps that receive events. */
@Injectable()
export class EventSubscribersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly eligibility: RunEligibilityService,
  ) {}

  /**
   * Returns those of `app_ids` that receive an event. An event of a user reaches the active apps
   * that the user has installed and enabled and can use by the rules of their tenant, and the
   * user's own unpublished apps. An event about an app reaches only that app. An event without a
   * user reaches apps of the developer whose app published it. Empty for an unknown event, and for
   * a user who is unknown, not active or of another tenant.
   */
  async findSubscribers({
    event_id: eventId,
    app_ids: appIds,
  }: EventSubscribersRequest): Promise<EventSubscribersResponse> {
    const event = await this.findEvent(eventId);
    if (!event) return { app_ids: [] };
    // First drop the apps that the event cannot reach: the drafts of a developer, however many,
    // then cost nothing for events of other users.
    const possible = await this.findPossibleApps(event, { among: appIds, after: '', limit: appIds.length });
    const reached = new Set<string>();
    for (let at = 0; at < possible.length; at += ELIGIBILITIES_AT_ONCE) {
      const asked = possible.slice(at, at + ELIGIBILITIES_AT_ONCE);
      const eligibilities = await this.eligibility.findEligibilities(
        asked.map((appId) => eligibilityRequestFor(event, appId)),
      );
      for (const [one, appId] of asked.entries())
        if (reachesApp(event, appId, eligibilities[one] as Eligibility)) reached.add(appId);
    }
    return { app_ids: appIds.filter((appId) => reached.has(appId)) };
  }

  /**
   * Returns a page of the apps that an event could reach, after the app `after`; `findSubscribers`
   * selects those that it does reach. Empty for an unknown event.
   */
  async listAudience({ event_id: eventId, after = '' }: EventAudienceRequest): Promise<EventAudienceResponse> {
    const event = await this.findEvent(eventId);
    const found = event
      ? await this.findPossibleApps(event, { among: null, after, limit: EVENT_AUDIENCE_PAGE + 1 })
      : [];
    return { app_ids: found.slice(0, EVENT_AUDIENCE_PAGE), has_more: found.length > EVENT_AUDIENCE_PAGE };
  }

  /** Returns the stored event with this ID; null for an unknown event. */
  private async findEvent(id: string): Promise<PublishedEvent | null> {
    const [event] = (await findPublishedEvents(this.dataSource, [id.toLowerCase()])).values();
    return event ?? null;
  }

  /**
   * Returns a page of the IDs of apps that could receive the event, in order: the app that the
   * event is about; otherwise the apps of its user; for an event without a user, the apps of the
   * developer whose app published it. `findSubscribers` checks if they do receive it. With `among`,
   * only apps of that list.
   */
  private async findPossibleApps(
    { about_app: about, user_id, publisher_id }: PublishedEvent,
    { among, after, limit }: CandidatePage,
  ): Promise<string[]> {
    if (about !== null) return about > after && (among?.includes(about) ?? true) ? [about] : [];
    const owner = user_id ?? publisher_id;
    if (owner === null) return [];
    const apps = await this.dataSource.query<{ app_id: string }[]>(
      `SELECT app_id FROM (${user_id === null ? APPS_OF_DEVELOPER : APPS_OF_USER}) AS possible
       WHERE app_id COLLATE "C" > $2 ${among ? 'AND app_id = ANY ($4)' : ''} ORDER BY app_id COLLATE "C" LIMIT $3`,
      [owner, after, limit, ...(among ? [among] : [])],
    );
    return apps.map(({ app_id }) => app_id);
  }
}
