import { Inject, Injectable } from '@nestjs/common';
import { MaintenanceTasksService } from '@platform/messaging';
import { RetentionService } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';

const SWEEP_EVERY_MS = 60_000;

/** Deletes expired rows every minute. Features register their tables with `RetentionService`. */
@Injectable()
export class HostMaintenanceWorker {
  constructor(
    private readonly retention: RetentionService,
    @Inject(LOGGER) private readonly logger: Logger,
    tasks: MaintenanceTasksService,
  ) {
    tasks.scheduleTask(SWEEP_EVERY_MS, 'sweep', () => this.sweep());
  }

  private async sweep(): Promise<void> {
    if (!(await this.retention.deleteExpiredRows())) this.logger.warn('rows expire faster than they are deleted');
  }
}
