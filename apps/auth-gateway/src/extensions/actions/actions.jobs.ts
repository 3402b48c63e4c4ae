import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

export type ActionJobs = {
  /**
   * Removes the remaining personal data from the actions of a deleted user. With `until`
   * (milliseconds since 1970), also from actions that are written until then.
   */
  forget: { tenant_id: string; user_id: string; until?: number };
};

export const actionQueue: QueueDefinition<ActionJobs> = {
  name: 'actions',
  attempts: 300,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 1,
};
