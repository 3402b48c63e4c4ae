import { steppedRetries, type QueueDefinition } from '@platform/messaging';

const { waitAfter, ...retries } = steppedRetries([5_000, 30_000, 300_000, 1_800_000]);
export { waitAfter };
/** Attempts of a delivery. */
export const MAX_ATTEMPTS = retries.attempts;

/** `owner` is the developer of the app. */
export const eventDeliveryQueue: QueueDefinition<{ deliver: { event_id: string; app_id: string; owner: string } }> = {
  name: 'event-deliveries',
  ...retries,
  givesUp: true, // the developer sees the failed delivery
  concurrency: 16,
  owner: ({ owner }) => owner,
};
