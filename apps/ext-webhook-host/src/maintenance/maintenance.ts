import { Inject, Injectable } from '@nestjs/common';
import { Jobs, maintenanceQueue } from '@platform/messaging';
import { inTurn } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { ExtensionCache } from '../kernel/cache/extension-cache.service.js';
import { AppDocuments } from '../documents/app-documents.service.js';
import { EventDeliveries } from '../events/event-deliveries.js';
import { AppLogs } from '../kernel/logs/app-logs.service.js';
import { ScheduleRuns } from '../schedules/schedule-runs.js';
import { SecretVault } from '../kernel/secrets/secret-vault.service.js';
import { ProcessedEvents } from '../kernel/store/processed-events.js';
import { WebhookInbox } from '../webhooks/inbox/webhook-inbox.js';

type MaintenanceJobs = { sweep: Record<string, never>; 'reseal-secrets': Record<string, never> };

const MINUTE_MS = 60_000;

const queue = maintenanceQueue<MaintenanceJobs>();

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
    jobs.process(queue, { sweep: () => this.sweep(), 'reseal-secrets': () => this.resealSecrets() });
    jobs.schedule(queue, 'sweep', MINUTE_MS);
    jobs.schedule(queue, 'reseal-secrets', 60 * MINUTE_MS);
  }

  private async sweep(): Promise<void> {
    for (const jobs of [this.inbox, this.deliveries, this.scheduleRuns]) await jobs.giveUpLost();
    const isDone = await inTurn([
      () => this.cache.sweep(),
      () => this.events.sweep(),
      () => this.logs.sweep(),
      () => this.documents.sweep(),
      () => this.inbox.sweep(),
      () => this.deliveries.sweep(),
      () => this.deliveries.sweepEvents(),
      () => this.deliveries.sweepUsage(),
      () => this.scheduleRuns.sweep(),
    ]);
    if (!isDone) this.logger.warn('rows expire faster than they are deleted');
  }

  private async resealSecrets(): Promise<void> {
    const { resealed, failed } = await this.secrets.reseal();
    if (failed) this.logger.error({ resealed, failed }, 'some secrets of extensions do not open with the key that they name');
    else if (resealed) this.logger.info({ resealed }, 'secrets of extensions moved to the current key');
  }
}
