import { Inject, Injectable } from '@nestjs/common';
import { MaintenanceTasksService } from '@platform/messaging';
import { RetentionService } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../config.js';
import { resealAll } from './reseal.js';

const MINUTE_MS = 60_000;

/**
 * Runs periodic work that features have registered. Every hour it seals values again with the first
 * secret key; every five minutes it deletes expired rows.
 */
@Injectable()
export class MaintenanceWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly retention: RetentionService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    tasks: MaintenanceTasksService,
  ) {
    tasks.scheduleTask(60 * MINUTE_MS, 'reseal', () => this.resealValues(), { atStart: true });
    tasks.scheduleTask(5 * MINUTE_MS, 'sweep', () => this.deleteExpiredRows());
  }

  private async resealValues(): Promise<void> {
    for (const { what, resealed, failed } of await resealAll(this.dataSource, this.config.SECRET_KEYS)) {
      for (const { id, reason } of failed) this.logger.error({ what, id, reason }, 'a sealed value cannot be opened');
      if (resealed) this.logger.info({ what, resealed }, 'values were sealed again with the first secret key');
    }
  }

  private async deleteExpiredRows(): Promise<void> {
    if (!(await this.retention.deleteExpiredRows())) this.logger.warn('rows expire faster than they are deleted');
  }
}
