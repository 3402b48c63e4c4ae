import { Injectable } from '@nestjs/common';
import { AutoTopUps, CROSSING_BATCH } from '@platform/billing';
import { Jobs, type QueueDefinition } from '@platform/messaging';
import { inTurn } from '@platform/persistence';

type AutoTopUpJobs = { sweep: Record<string, never> };

/** A queue of its own, since it waits for the provider. What fails is done by the next run. */
export const autoTopUpQueue: QueueDefinition<AutoTopUpJobs> = {
  name: 'auto-topups',
  attempts: 1,
  backoff: () => 0,
  concurrency: 1,
  isRoutine: true,
};

/** A look at an index that is empty most of the time. An entry of the outbox with each crossing would be no sooner: nobody wakes the relay from within the database. */
const EVERY_MS = 5_000;

/** Buys credits for who has few, and lets it. */
@Injectable()
export class AutoTopUpSweep {
  constructor(
    private readonly autoTopUps: AutoTopUps,
    jobs: Jobs,
  ) {
    jobs.process(autoTopUpQueue, { sweep: () => this.sweep() });
    jobs.schedule(autoTopUpQueue, 'sweep', EVERY_MS);
  }

  async sweep(): Promise<void> {
    await inTurn([() => this.autoTopUps.sweep()], { full: CROSSING_BATCH, maxMs: 60_000 });
  }
}
