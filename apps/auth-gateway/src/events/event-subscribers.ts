import { Inject, Injectable } from '@nestjs/common';
import type { EventSubscribersRequest, EventSubscribersResponse } from '@platform/contracts';
import { DataSource } from 'typeorm';
import { hearerOf, publishedEvents, reaches } from '../extensions/run-grants/published-events.js';
import { Standings, type Standing } from '../extensions/run-grants/standings.js';

/** Which apps events reach. */
@Injectable()
export class EventSubscribers {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Standings) private readonly standings: Standings,
  ) {}

  /**
   * Of a user: those of the apps that the user has installed and enabled and that their tenant lets them use, as long as they are active;
   * and what the user develops themselves and has not published; what is about an app reaches that one alone. Of nobody: those of the developer of the app that has published it. None
   * for an event that is not known, and for a user who is not there, not active or of another tenant.
   */
  async find({ event_id: eventId, app_ids: appIds }: EventSubscribersRequest): Promise<EventSubscribersResponse> {
    const [event] = (await publishedEvents(this.dataSource, [eventId])).values();
    if (!event) return { app_ids: [] };
    const standings = await this.standings.findAll(appIds.map((appId) => hearerOf(event, appId)));
    return { app_ids: appIds.filter((appId, at) => reaches(event, appId, standings[at] as Standing)) };
  }
}
