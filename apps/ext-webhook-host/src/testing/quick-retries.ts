import type { QueueSettings } from '@platform/messaging';

/** Has jobs of these queues tried again at once, in services that start from now on. Returns what ends that, for the other specs of the process. */
export function retryAtOnce(...queues: Pick<QueueSettings, 'backoff'>[]): () => void {
  const usual = queues.map(({ backoff }) => backoff);
  for (const queue of queues) queue.backoff = () => 1;
  return () => queues.forEach((queue, at) => Object.assign(queue, { backoff: usual[at] }));
}
