import { Injectable } from '@nestjs/common';
import { Jobs, type QueueDefinition } from '@platform/messaging';
import { ActionSumsRepository } from './action-sums.repository.js';

type ActionSumJobs = { 'sum-up': Record<string, never> };

/** A run that fails is made up for by the next one. */
export const actionSumQueue: QueueDefinition<ActionSumJobs> = {
  name: 'action-sums',
  attempts: 1,
  backoff: () => 0,
  concurrency: 1,
  isRoutine: true,
};

const EVERY_MS = 15_000;
/** A run ends after this time, and the next one goes on. */
const RUN_MS = 60_000;

/** Keeps the sums of actions up to a minute ago. */
@Injectable()
export class ActionSumsService {
  constructor(
    private readonly sums: ActionSumsRepository,
    jobs: Jobs,
  ) {
    jobs.process(actionSumQueue, { 'sum-up': () => this.sumUp() });
    jobs.schedule(actionSumQueue, 'sum-up', EVERY_MS);
  }

  /** Each span is a transaction, so what is done stays done. */
  private async sumUp(): Promise<void> {
    const end = performance.now() + RUN_MS;
    while (await this.sums.sumUp()) if (performance.now() > end) return;
  }
}
