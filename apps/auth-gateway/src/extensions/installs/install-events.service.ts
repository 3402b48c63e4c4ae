import { Injectable } from '@nestjs/common';
import { APP_INSTALLED, APP_UNINSTALLED } from '@platform/contracts';
import { Outbox } from '@platform/persistence';
import { PlatformEventsService } from '../events/platform-events.service.js';
import type { KnownChange } from './installs.jobs.js';

/** Publishes events about installations and removals. */
@Injectable()
export class InstallEventsService {
  constructor(
    private readonly outbox: Outbox,
    private readonly events: PlatformEventsService,
  ) {}

  /**
   * Publishes an event for each installation and each removal. Safe to run again: each change is
   * published once.
   */
  async publishChanges(changes: readonly KnownChange[]): Promise<void> {
    for (const { event_id: id, user_id: userId, tenant_id: tenantId, app_id, is_removed, scopes, key } of changes) {
      const type = is_removed ? APP_UNINSTALLED : APP_INSTALLED;
      await this.outbox.transaction((em) =>
        this.events.publish(em, { id, type, tenantId, userId, data: { app_id }, scopes, key }),
      );
    }
  }
}
