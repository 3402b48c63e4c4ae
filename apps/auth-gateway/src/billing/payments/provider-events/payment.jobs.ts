import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

type PaymentJobs = {
  /** Event of the provider: `event_id` in `inbound_events`. */
  event: { event_id: string };
  /** Sends a changed billing profile to the provider. */
  profile: { user_id: string };
};

/**
 * Retried for about 23 minutes. After that the sweep retries an event, at growing intervals, until
 * it is handled.
 */
export const paymentQueue: QueueDefinition<PaymentJobs> = {
  name: 'payments',
  attempts: 12,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 4,
};
