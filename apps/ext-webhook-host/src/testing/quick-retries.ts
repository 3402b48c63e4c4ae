import type { QueueSettings } from '@platform/messaging';

/**
 * Makes the jobs of these queues retry at once, in services that start afterwards. Returns a
 * function that restores the usual waits for the other specs of the process.
 */
export function retryAtOnce(...queues: Pick<QueueSettings, 'backoff'>[]): () => void {
  const usual = queues.map(({ backoff }) => backoff);
  for (const queue of queues) queue.backoff = () => 1;
  return () => queues.forEach((queue, at) => Object.assign(queue, { backoff: usual[at] }));
}
