import { steppedRetries, type QueueDefinition } from '@platform/messaging';

const { attempts, backoff } = steppedRetries([10_000, 60_000]);
/** Attempts of a run. */
export const MAX_ATTEMPTS = attempts;

/** Starts the runs that are due. */
export const scheduleClockQueue: QueueDefinition<{ tick: Record<string, never> }> = {
  name: 'schedule-clock',
  attempts: 1,
  backoff: () => 1_000,
  concurrency: 1,
  isRoutine: true,
};

export type ScheduleJobs = {
  run: { run_id: string; app_id: string };
  'run-user': { run_id: string; app_id: string; user_id: string };
};

export const scheduleQueue: QueueDefinition<ScheduleJobs> = {
  name: 'schedules',
  attempts,
  backoff,
  givesUp: true, // the developer sees the failed run
  concurrency: 16,
  owner: ({ app_id }) => app_id,
};
