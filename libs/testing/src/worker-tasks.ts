import type { WorkerTasks } from '@platform/platform';

/** Longer than a test may take. */
const LIMIT_MS = 100_000;

/** On a busy machine the threads, which have a low priority, would end tasks that are quick elsewhere. */
export function withoutTimeLimit(tasks: WorkerTasks): void {
  (tasks as unknown as { options: { timeoutMs: number } }).options.timeoutMs = LIMIT_MS;
}
