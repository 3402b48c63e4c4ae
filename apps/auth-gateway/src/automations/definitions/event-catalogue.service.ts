import { Injectable } from '@nestjs/common';
import { KNOWN_EVENT_TYPES } from '@platform/contracts';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';

const KNOWN: ReadonlySet<string> = new Set(KNOWN_EVENT_TYPES);

/** Event types that rules can wait for. */
@Injectable()
export class EventCatalogueService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * True for an event type of the platform, or of an app that is active or the user's own and
   * declares it.
   */
  async hasEventType(user: { userId: string; tenantId: string }, type: string): Promise<boolean> {
    if (KNOWN.has(type)) return true;
    // Apps have no tenant: users of every tenant can install them.
    const found = await new TenantData(this.dataSource.manager, user.tenantId).query(
      `SELECT 1 FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
       WHERE a.app_id = $1 AND (a.status = 'active' OR a.developer_id = (SELECT id FROM users WHERE tenant_id = $tenant AND id = $2))
         AND v.document -> 'app' -> 'events' -> 'emits' @> jsonb_build_array(jsonb_build_object('type', $3::text))`,
      [type.split('.')[0], user.userId, type],
    );
    return found.length > 0;
  }
}
