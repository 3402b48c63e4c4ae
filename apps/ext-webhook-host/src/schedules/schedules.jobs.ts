import type { QueueDefinition } from '@platform/messaging';

/** How often a run is tried. */
export const MAX_ATTEMPTS = 3;
const WAITS_MS = [10_000, 60_000];

/** Before the attempt after this one, in milliseconds. */
export const waitAfter = (attempt: number): number => WAITS_MS[Math.min(attempt, WAITS_MS.length) - 1] ?? 0;

/** Begins what is due. */
export const scheduleClockQueue: QueueDefinition<{ tick: Record<string, never> }> = {
  name: 'schedule-clock',
  attempts: 1,
  backoff: () => 1_000,
  concurrency: 1,
  isRoutine: true,
};

export type ScheduleJobs = {
  run: { run_id: string };
  'run-user': { run_id: string; user_id: string };
};

export const scheduleQueue: QueueDefinition<ScheduleJobs> = {
  name: 'schedules',
  attempts: MAX_ATTEMPTS,
  backoff: (attemptsMade) => Math.round(waitAfter(attemptsMade) * (1 + Math.random() / 5)),
  concurrency: 8,
};
