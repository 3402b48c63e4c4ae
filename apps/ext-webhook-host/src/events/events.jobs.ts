import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

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

/** How often a handler is tried. */
export const MAX_ATTEMPTS = 5;
const WAITS_MS = [5_000, 30_000, 300_000, 1_800_000];

/** Before the attempt after this one, in milliseconds; without the spread. */
export const waitAfter = (attempt: number): number => WAITS_MS[Math.min(attempt, WAITS_MS.length) - 1] ?? 0;

export const eventDeliveryQueue: QueueDefinition<{ deliver: { event_id: string; app_id: string } }> = {
  name: 'event-deliveries',
  attempts: MAX_ATTEMPTS,
  backoff: (attemptsMade) => Math.round(waitAfter(attemptsMade) * (1 + Math.random() / 5)),
  concurrency: 8,
};
