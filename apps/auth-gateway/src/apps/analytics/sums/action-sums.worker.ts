import { Injectable } from '@nestjs/common';
import { JobsService, type QueueDefinition } from '@platform/messaging';
import { ActionSumsRepository } from './action-sums.repository.js';

type ActionSumJobs = { 'sum-up': Record<string, never> };

/** No retries: the next run sums up everything that a failed run has left. */
export const actionSumQueue: QueueDefinition<ActionSumJobs> = {
  name: 'action-sums',
  attempts: 1,
  backoff: () => 0,
  concurrency: 1,
  isRoutine: true,
};

const EVERY_MS = 15_000;
/** Longest duration of a run; the next run continues. */
const RUN_MS = 60_000;

/**
 * Adds new actions to the daily sums every 15 seconds, so that these are complete up to about a
 * minute ago.
 */
@Injectable()
export class ActionSumsWorker {
  constructor(
    private readonly sums: ActionSumsRepository,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(actionSumQueue, { 'sum-up': () => this.sumUp() });
    jobs.scheduleJob(actionSumQueue, 'sum-up', EVERY_MS);
  }

  /**
   * Adds actions to the sums until none are left, or for about a minute; the next run continues.
   * Each step commits, so an early end keeps the earlier work.
   */
  private async sumUp(): Promise<void> {
    const end = performance.now() + RUN_MS;
    while (await this.sums.addNextActions()) if (performance.now() > end) return;
  }
}
