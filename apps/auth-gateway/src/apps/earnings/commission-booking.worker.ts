import { CommissionsService } from '@platform/billing';
import { Inject, Injectable } from '@nestjs/common';
import { MaintenanceTasksService } from '@platform/messaging';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';

const EVERY_MS = 10_000;

/**
 * Books the shares of developers in the prices of calls, every ten seconds. It reads the shares
 * that are not booked yet from the database, so a lost queue loses none.
 */
@Injectable()
export class CommissionBookingWorker {
  constructor(commissions: CommissionsService, tasks: MaintenanceTasksService, @Inject(LOGGER) logger: Logger) {
    tasks.scheduleTask(EVERY_MS, 'book-commissions', async () => {
      if (!(await commissions.bookDueShares())) logger.warn('calls earn shares faster than they are booked');
    });
  }
}
