import { exponentialBackoff, steppedRetries, type QueueDefinition } from '@platform/messaging';

/** Finds the subscribers of an event. While the gateway, which knows who has which app, is away, it is tried for about a day. */
export const eventQueue: QueueDefinition<{ give: { event_id: string } }> = {
  name: 'events',
  attempts: 300,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
};

/** Tells the gateway what apps have published. */
export const eventsToGatewayQueue: QueueDefinition<{ post: { event_id: string } }> = {
  name: 'events-to-gateway',
  attempts: 300,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
};

const { waitAfter, ...retries } = steppedRetries([5_000, 30_000, 300_000, 1_800_000]);
export { waitAfter };
/** How often a handler is tried. */
export const MAX_ATTEMPTS = retries.attempts;

export const eventDeliveryQueue: QueueDefinition<{ deliver: { event_id: string; app_id: string } }> = {
  name: 'event-deliveries',
  ...retries,
  concurrency: 16,
  owner: ({ app_id }) => app_id,
};
