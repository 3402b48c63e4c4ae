import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

type PaymentJobs = {
  /** An event of the provider: `event_id` of `inbound_events`. */
  event: { event_id: string };
  /** Another billing profile of a user, for the provider. */
  profile: { user_id: string };
};

/** Tried for about 23 minutes. After that the sweep tries an event, ever more seldom, until it is handled. */
export const paymentQueue: QueueDefinition<PaymentJobs> = {
  name: 'payments',
  attempts: 12,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 4,
};
