import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

export type ServedVersionJobs = {
  /** The app serves another version, which may request more scopes than its users have granted. */
  served: { app_id: string };
};

export const servedVersionQueue: QueueDefinition<ServedVersionJobs> = {
  name: 'served-versions',
  attempts: 20,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 1,
};
