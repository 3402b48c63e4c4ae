import { Inject, Injectable } from '@nestjs/common';
import type { EventSubscribersRequest, EventSubscribersResponse } from '@platform/contracts';
import { DataSource } from 'typeorm';
import { refusalOf } from '../extensions/run-grants/run-grants.service.js';
import { Standings } from '../extensions/run-grants/standings.js';

interface StoredEvent {
  tenant_id: string;
  user_id: string | null;
  /** Of the app that has published it; null for the platform's. */
  publisher_id: string | null;
}

/** Which apps events reach. */
@Injectable()
export class EventSubscribers {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Standings) private readonly standings: Standings,
  ) {}

  /**
   * Of a user: those of the apps that the user has installed and enabled and that their tenant lets them use, as long as they are active;
   * and what the user develops themselves and has not published. Of nobody: those of the developer of the app that has published it. None
   * for an event that is not known, and for a user who is not there, not active or of another tenant.
   */
  async find({ event_id: eventId, app_ids: appIds }: EventSubscribersRequest): Promise<EventSubscribersResponse> {
    const [event] = await this.dataSource.query<StoredEvent[]>(
      `SELECT e.tenant_id, e.user_id, a.developer_id AS publisher_id
       FROM platform_events e LEFT JOIN apps a ON e.source_type = 'extension' AND a.app_id = e.source WHERE e.id = $1`,
      [eventId],
    );
    if (!event) return { app_ids: [] };
    const { tenant_id: tenantId, user_id: userId, publisher_id: publisherId } = event;
    const standings = await this.standings.findAll(appIds.map((appId) => ({ appId, userId })));
    const isReached = (at: number): boolean => {
      const standing = standings[at];
      if (!standing || refusalOf(standing, tenantId)) return false;
      return userId !== null || (publisherId !== null && standing.developer?.userId === publisherId);
    };
    return { app_ids: appIds.filter((_id, at) => isReached(at)) };
  }
}
