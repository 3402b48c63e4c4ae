import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

/**
 * Jobs that run tasks. `owner` is the developer of the app, so slow functions of one developer do
 * not delay the others. The role of a user limits the number of their tasks.
 */
export const taskQueue: QueueDefinition<{ run: { task_id: string; owner: string } }> = {
  name: 'tasks',
  attempts: 5,
  backoff: exponentialBackoff(2_000, 60_000),
  givesUp: true, // the sweep ends the task, and its user is told
  concurrency: 32,
  owner: ({ owner }) => owner,
  owners: 64, // each holds a connection to the host for as long as it runs
};

/** Jobs that end tasks which no process runs any more. */
export const taskSweepQueue: QueueDefinition<{ sweep: Record<string, never> }> = {
  name: 'task-sweeps',
  attempts: 1, // the next one comes soon
  backoff: () => 1_000,
  concurrency: 1,
  isRoutine: true,
};
