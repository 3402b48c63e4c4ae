import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

type RefundJobs = {
  /** A refund that is written down. */
  ask: { refund_id: string };
};

/** Tried for some minutes; what is not done then the sweep does. */
export const refundQueue: QueueDefinition<RefundJobs> = {
  name: 'refunds',
  attempts: 5,
  backoff: exponentialBackoff(1_000, 60_000),
  givesUp: true, // the sweep goes on
  concurrency: 2,
};
