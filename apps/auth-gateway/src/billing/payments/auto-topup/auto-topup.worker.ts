import { Injectable } from '@nestjs/common';
import { AutoTopUpPurchasesService, CROSSING_BATCH } from '@platform/billing';
import { JobsService, type QueueDefinition } from '@platform/messaging';
import { runInTurn } from '@platform/persistence';

type AutoTopUpJobs = { sweep: Record<string, never> };

/** Separate queue, because the job waits for the provider. The next run repeats failed work. */
export const autoTopUpQueue: QueueDefinition<AutoTopUpJobs> = {
  name: 'auto-topups',
  attempts: 1,
  backoff: () => 0,
  concurrency: 1,
  isRoutine: true,
};

/**
 * Milliseconds between runs. Each run is one look into an index that is usually empty. An outbox
 * entry for each crossing would not be faster, because the database cannot wake the relay.
 */
const EVERY_MS = 5_000;

/** Buys credits for users with a low balance who enabled this. */
@Injectable()
export class AutoTopUpWorker {
  constructor(
    private readonly autoTopUps: AutoTopUpPurchasesService,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(autoTopUpQueue, { sweep: () => this.startDueTopUps() });
    jobs.scheduleJob(autoTopUpQueue, 'sweep', EVERY_MS);
  }

  async startDueTopUps(): Promise<void> {
    await runInTurn([() => this.autoTopUps.buyForLowBalances()], { full: CROSSING_BATCH, maxMs: 60_000 });
  }
}
