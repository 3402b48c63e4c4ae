import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

interface EventJob {
  event_id: string;
  /** The developer of the app that has published it; of the platform's own events the user. Jobs of a release before have none. */
  owner?: string | null;
}

/** Finds the subscribers of an event that the gateway knows: one of the platform, or one of an app for which `events-to-gateway` did not find them. While the gateway, which knows who has which app, is away, it is tried for about a day. */
export const eventQueue: QueueDefinition<{ give: EventJob }> = {
  name: 'events',
  attempts: 300,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
  owner: ({ owner }) => owner ?? undefined,
  owners: 8, // all ask the gateway: more at once would only wait for each other
};

/** Tells the gateway what an app has published, and finds its subscribers: one job, since the second needs what the first does. */
export const eventsToGatewayQueue: QueueDefinition<{ post: EventJob }> = {
  name: 'events-to-gateway',
  attempts: 300,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
  owner: ({ owner }) => owner ?? undefined,
  owners: 8, // all ask the gateway: more at once would only wait for each other
};
