import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

interface EventJob {
  event_id: string;
  /**
   * Developer of the app that published it; the user for an event of the platform, null without
   * one.
   */
  owner: string | null;
}

/**
 * Finds the subscribers of an event that the gateway knows: of the platform, or of an app if
 * `events-to-gateway` did not find them. Retries for about a day while the gateway, which knows the
 * users of each app, is unreachable.
 */
export const eventQueue: QueueDefinition<{ give: EventJob }> = {
  name: 'events',
  attempts: 300,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
  owner: ({ owner }) => owner ?? undefined,
  owners: 8, // all jobs ask the gateway: more at once would only wait for each other
};

/**
 * Posts an event of an app to the gateway, and finds its subscribers. One job does both, since the
 * second needs the first.
 */
export const eventsToGatewayQueue: QueueDefinition<{ post: EventJob }> = {
  name: 'events-to-gateway',
  attempts: 300,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
  owner: ({ owner }) => owner ?? undefined,
  owners: 8, // all jobs ask the gateway: more at once would only wait for each other
};
