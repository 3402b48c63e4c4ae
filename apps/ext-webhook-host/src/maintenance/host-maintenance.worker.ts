import { Inject, Injectable } from '@nestjs/common';
import { MaintenanceTasks } from '@platform/messaging';
import { Expiries } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';

const SWEEP_EVERY_MS = 60_000;

/** Deletes expired rows every minute. Features register their tables with `Expiries`. */
@Injectable()
export class Maintenance {
  constructor(
    private readonly expiries: Expiries,
    @Inject(LOGGER) private readonly logger: Logger,
    tasks: MaintenanceTasks,
  ) {
    tasks.every(SWEEP_EVERY_MS, 'sweep', () => this.sweep());
  }

  private async sweep(): Promise<void> {
    if (!(await this.expiries.sweep())) this.logger.warn('rows expire faster than they are deleted');
  }
}
