import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

export type AccountJobs = {
  'user-created': { user_id: string };
};

/** Runs the provisioning steps of new users. */
export const accountQueue: QueueDefinition<AccountJobs> = {
  name: 'accounts',
  attempts: 300,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 4,
};
