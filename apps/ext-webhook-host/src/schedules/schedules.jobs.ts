import { steppedRetries, type QueueDefinition } from '@platform/messaging';

const { attempts, backoff } = steppedRetries([10_000, 60_000]);
/** How often a run is tried. */
export const MAX_ATTEMPTS = attempts;

/** Begins what is due. */
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
  givesUp: true, // the run failed, which the developer sees
  concurrency: 16,
  owner: ({ app_id }) => app_id,
};
