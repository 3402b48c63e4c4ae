import type { QueueDefinition } from '@platform/messaging';

export type SignInAuditJobs = { write: Record<string, never> };

/** No retries: the next scheduled run does the work again. */
export const signInAuditQueue: QueueDefinition<SignInAuditJobs> = {
  name: 'sign-in-audit',
  attempts: 1,
  backoff: () => 0,
  concurrency: 1,
  isRoutine: true,
};
