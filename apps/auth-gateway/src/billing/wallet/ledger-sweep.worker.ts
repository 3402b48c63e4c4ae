import { Injectable } from '@nestjs/common';
import { LedgerSweeps } from '@platform/billing';
import { MaintenanceTasks } from '@platform/messaging';

const EVERY_MS = 60_000;

/**
 * Removes expired credits and reservations from all wallets every minute, so also from those
 * without movements.
 */
@Injectable()
export class LedgerSweepTask {
  constructor(sweeps: LedgerSweeps, tasks: MaintenanceTasks) {
    tasks.every(EVERY_MS, 'ledger-sweep', async () => {
      await sweeps.sweep();
    });
  }
}
