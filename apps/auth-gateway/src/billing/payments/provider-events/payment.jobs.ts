import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

type PaymentJobs = {
  /** An event of the provider: `event_id` of `inbound_events`. */
  event: { event_id: string };
  /** Another billing profile of a user, for the provider. */
  profile: { user_id: string };
};

/** Tried for about half an hour; what is not done then is found by the sweep of payments. */
export const paymentQueue: QueueDefinition<PaymentJobs> = {
  name: 'payments',
  attempts: 12,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 4,
};
