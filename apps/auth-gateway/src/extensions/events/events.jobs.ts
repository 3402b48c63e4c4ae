import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

interface EventJob {
  event_id: string;
  /** The developer of the app that has published it; of the platform's own events the user. Jobs of a release before have none. */
  owner?: string | null;
}

/** Tells the features of the gateway that listen. */
export const eventQueue: QueueDefinition<{ handle: EventJob }> = {
  name: 'platform-events',
  attempts: 30,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
  owner: ({ owner }) => owner ?? undefined,
  owners: 8, // no owner's jobs wait for anything of their own: more at once would only wait for each other
};

/** Tells the host of extensions. One that is down is tried for about as long as the event is kept. */
export const eventsToHostQueue: QueueDefinition<{ post: EventJob }> = {
  name: 'events-to-host',
  attempts: 300,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
  owner: ({ owner }) => owner ?? undefined,
  owners: 8, // all ask the host: more at once would only wait for each other
};
