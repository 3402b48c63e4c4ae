import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

export type ReplacedAccountJobs = {
  /** Deletes the data of an unconfirmed account after a new account has taken its address. */
  erase: { tenant_id: string; user_id: string };
};

export const replacedAccountQueue: QueueDefinition<ReplacedAccountJobs> = {
  name: 'replaced-accounts',
  attempts: 300,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 4,
};
