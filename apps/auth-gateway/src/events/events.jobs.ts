import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

/** Tells the features of the gateway that listen. */
export const eventQueue: QueueDefinition<{ handle: { event_id: string } }> = {
  name: 'platform-events',
  attempts: 30,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
};

/** Tells the host of extensions. One that is down is tried for about as long as the event is kept. */
export const eventsToHostQueue: QueueDefinition<{ post: { event_id: string } }> = {
  name: 'events-to-host',
  attempts: 300,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
};
