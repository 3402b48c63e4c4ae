import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

export type ServedVersionJobs = {
  /** An app serves another version: it may ask its users for more than they agreed to. */
  served: { app_id: string };
};

export const servedVersionQueue: QueueDefinition<ServedVersionJobs> = {
  name: 'served-versions',
  attempts: 20,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 1,
};
