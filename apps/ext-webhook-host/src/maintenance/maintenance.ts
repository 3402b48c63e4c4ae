import { Inject, Injectable } from '@nestjs/common';
import { exponentialBackoff, Jobs, type QueueDefinition } from '@platform/messaging';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { ExtensionCache } from '../cache/extension-cache.service.js';
import { AppDocuments } from '../deployed/app-documents.service.js';
import { EventDeliveries } from '../events/event-deliveries.js';
import { AppLogs } from '../logs/app-logs.service.js';
import { ScheduleRuns } from '../schedules/schedule-runs.js';
import { SecretVault } from '../secrets/secret-vault.service.js';
import { ProcessedEvents } from '../store/processed-events.js';
import { WebhookInbox } from '../webhooks/inbox/webhook-inbox.js';

type MaintenanceJobs = { sweep: Record<string, never>; 'reseal-secrets': Record<string, never> };

const MINUTE_MS = 60_000;

const maintenanceQueue: QueueDefinition<MaintenanceJobs> = {
  name: 'maintenance',
  attempts: 3,
  backoff: exponentialBackoff(5_000, 60_000),
  concurrency: 1,
};

/** What must happen by itself: what has expired goes, in bounded batches, and secrets move to the current key. */
@Injectable()
export class Maintenance {
  constructor(
    @Inject(ExtensionCache) private readonly cache: ExtensionCache,
    @Inject(ProcessedEvents) private readonly events: ProcessedEvents,
    @Inject(AppLogs) private readonly logs: AppLogs,
    @Inject(AppDocuments) private readonly documents: AppDocuments,
    @Inject(WebhookInbox) private readonly inbox: WebhookInbox,
    @Inject(EventDeliveries) private readonly deliveries: EventDeliveries,
    @Inject(ScheduleRuns) private readonly scheduleRuns: ScheduleRuns,
    @Inject(SecretVault) private readonly secrets: SecretVault,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Jobs) jobs: Jobs,
  ) {
    jobs.process(maintenanceQueue, { sweep: () => this.sweep(), 'reseal-secrets': () => this.resealSecrets() });
    jobs.schedule(maintenanceQueue, 'sweep', MINUTE_MS);
    jobs.schedule(maintenanceQueue, 'reseal-secrets', 60 * MINUTE_MS);
  }

  private async sweep(): Promise<void> {
    await this.cache.sweep();
    await this.events.sweep();
    await this.logs.sweep();
    await this.documents.sweep();
    await this.inbox.sweep();
    await this.deliveries.sweep();
    await this.scheduleRuns.sweep();
  }

  private async resealSecrets(): Promise<void> {
    const { resealed, failed } = await this.secrets.reseal();
    if (failed) this.logger.error({ resealed, failed }, 'some secrets of extensions do not open with the key that they name');
    else if (resealed) this.logger.info({ resealed }, 'secrets of extensions moved to the current key');
  }
}
