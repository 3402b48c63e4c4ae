import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

export type ActionJobs = {
  /** What an erasure has left of the actions of a user; with `until` (ms since 1970) what was still written until then. */
  forget: { tenant_id: string; user_id: string; until?: number };
};

export const actionQueue: QueueDefinition<ActionJobs> = {
  name: 'actions',
  attempts: 300,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 1,
};
