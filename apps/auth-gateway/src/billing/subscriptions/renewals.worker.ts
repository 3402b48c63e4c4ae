import { Injectable } from '@nestjs/common';
import { JobsService, type QueueDefinition } from '@platform/messaging';
import { runInTurn } from '@platform/persistence';
import { RENEWAL_BATCH, RenewalsService } from './renewals.service.js';

type RenewalJobs = { sweep: Record<string, never> };

/** Separate queue, because the job waits for the provider. The next run repeats failed work. */
const renewalQueue: QueueDefinition<RenewalJobs> = { name: 'renewals', attempts: 1, backoff: () => 0, concurrency: 1 };

const HOUR_MS = 3_600_000;

/** Renews due subscriptions every hour. */
@Injectable()
export class RenewalsWorker {
  constructor(
    private readonly renewals: RenewalsService,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(renewalQueue, { sweep: () => this.renewDueSubscriptions() });
    jobs.scheduleJob(renewalQueue, 'sweep', HOUR_MS, { atStart: true });
  }

  async renewDueSubscriptions(): Promise<void> {
    await runInTurn([() => this.renewals.renewDueBatch()], { full: RENEWAL_BATCH, maxMs: HOUR_MS / 2 });
  }
}
