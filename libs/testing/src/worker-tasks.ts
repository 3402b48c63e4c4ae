import type { WorkerTasks } from '@platform/platform';

/** Longer than the time limit of any test. */
const LIMIT_MS = 100_000;

/**
 * Raises the time limit of tasks above that of any test: on a busy machine the low-priority threads
 * would exceed their own limit with quick tasks.
 */
export function removeTimeLimit(tasks: WorkerTasks): void {
  (tasks as unknown as { options: { timeoutMs: number } }).options.timeoutMs = LIMIT_MS;
}
