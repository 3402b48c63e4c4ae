import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

type RefundJobs = {
  /** Asks the provider for a stored refund. */
  ask: { refund_id: string };
};

/** Retried for some minutes. The sweep does the rest. */
export const refundQueue: QueueDefinition<RefundJobs> = {
  name: 'refunds',
  attempts: 5,
  backoff: exponentialBackoff(1_000, 60_000),
  givesUp: true, // The sweep continues.
  concurrency: 2,
};
