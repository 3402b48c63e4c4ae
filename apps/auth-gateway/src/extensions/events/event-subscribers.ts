import { Injectable } from '@nestjs/common';
import {
  EVENT_AUDIENCE_PAGE,
  type EventAudienceRequest,
  type EventAudienceResponse,
  type EventSubscribersRequest,
  type EventSubscribersResponse,
} from '@platform/contracts';
import { DataSource } from 'typeorm';
import { askedFor, publishedEvents, reaches, type PublishedEvent } from '../run-grants/published-events.js';
import { APPS_OF_DEVELOPER, APPS_OF_USER } from '../run-grants/eligibility-rows.js';
import { RunEligibility, type Eligibility } from '../run-grants/run-eligibility.js';

/** By one statement, between which runs of others get theirs. */
const ELIGIBILITIES_AT_ONCE = 100;

/** Of those that an event could reach. */
interface Part {
  /** Null: all. */
  among: readonly string[] | null;
  after: string;
  limit: number;
}

/** Which apps events reach. */
@Injectable()
export class EventSubscribers {
  constructor(
    private readonly dataSource: DataSource,
    private readonly eligibility: RunEligibility,
  ) {}

  /**
   * Of a user: those of the apps that the user has installed and enabled and that their tenant lets them use, as long as they are active;
   * and what the user develops themselves and has not published; what is about an app reaches that one alone. Of nobody: those of the
   * developer of the app that has published it. None for an event that is not known, and for a user who is not there, not active or of
   * another tenant.
   */
  async find({ event_id: eventId, app_ids: appIds }: EventSubscribersRequest): Promise<EventSubscribersResponse> {
    const event = await this.event(eventId);
    if (!event) return { app_ids: [] };
    // The drafts of a developer, however many they are, cost nothing where an event of somebody else could not reach them.
    const possible = await this.possible(event, { among: appIds, after: '', limit: appIds.length });
    const reached = new Set<string>();
    for (let at = 0; at < possible.length; at += ELIGIBILITIES_AT_ONCE) {
      const asked = possible.slice(at, at + ELIGIBILITIES_AT_ONCE);
      const eligibilities = await this.eligibility.findAll(asked.map((appId) => askedFor(event, appId)));
      for (const [one, appId] of asked.entries()) if (reaches(event, appId, eligibilities[one] as Eligibility)) reached.add(appId);
    }
    return { app_ids: appIds.filter((appId) => reached.has(appId)) };
  }

  /** Those that an event could reach, a page of them: which of them it does, `find` says. None for an event that is not known. */
  async audience({ event_id: eventId, after = '' }: EventAudienceRequest): Promise<EventAudienceResponse> {
    const event = await this.event(eventId);
    const found = event ? await this.possible(event, { among: null, after, limit: EVENT_AUDIENCE_PAGE + 1 }) : [];
    return { app_ids: found.slice(0, EVENT_AUDIENCE_PAGE), has_more: found.length > EVENT_AUDIENCE_PAGE };
  }

  /** Null where it is not known. */
  private async event(id: string): Promise<PublishedEvent | null> {
    const [event] = (await publishedEvents(this.dataSource, [id.toLowerCase()])).values();
    return event ?? null;
  }

  /** By id. It begins with whose the event is, so that what others have is not read. */
  private async possible({ about_app: about, user_id, publisher_id }: PublishedEvent, { among, after, limit }: Part): Promise<string[]> {
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
