import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

export type AccountJobs = {
  'user-created': { user_id: string };
};

/** What follows from a new user. Tried for about a day, since nobody would notice and ask again. */
export const accountQueue: QueueDefinition<AccountJobs> = {
  name: 'accounts',
  attempts: 300,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 4,
};
