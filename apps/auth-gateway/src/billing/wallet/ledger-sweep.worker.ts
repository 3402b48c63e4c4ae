import { Injectable } from '@nestjs/common';
import { LedgerSweepService } from '@platform/billing';
import { MaintenanceTasksService } from '@platform/messaging';

const EVERY_MS = 60_000;

/**
 * Removes expired credits and reservations from all wallets every minute, so also from those
 * without movements.
 */
@Injectable()
export class LedgerSweepWorker {
  constructor(sweeps: LedgerSweepService, tasks: MaintenanceTasksService) {
    tasks.scheduleTask(EVERY_MS, 'ledger-sweep', async () => {
      await sweeps.sweepExpired();
    });
  }
}
