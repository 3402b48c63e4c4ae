import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

/** Runs tasks. `owner` is the developer of the app: one whose functions are slow takes nothing of what the others need. How many a user has, their role says. */
export const taskQueue: QueueDefinition<{ run: { task_id: string; owner: string } }> = {
  name: 'tasks',
  attempts: 5,
  backoff: exponentialBackoff(2_000, 60_000),
  givesUp: true, // the sweep ends the task, which its user sees
  concurrency: 32,
  owner: ({ owner }) => owner,
  owners: 64, // each holds a connection to the host for as long as it runs
};

/** Ends what nobody runs any more. */
export const taskSweepQueue: QueueDefinition<{ sweep: Record<string, never> }> = {
  name: 'task-sweeps',
  attempts: 1, // the next one is soon
  backoff: () => 1_000,
  concurrency: 1,
  isRoutine: true,
};
