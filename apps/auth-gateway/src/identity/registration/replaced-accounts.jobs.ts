import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

export type ReplacedAccountJobs = {
  /** Somebody else has the address of an account that nobody confirmed. */
  erase: { tenant_id: string; user_id: string };
};

export const replacedAccountQueue: QueueDefinition<ReplacedAccountJobs> = {
  name: 'replaced-accounts',
  attempts: 300,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 4,
};
