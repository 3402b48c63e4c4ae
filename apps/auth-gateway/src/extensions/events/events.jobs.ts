import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

interface EventJob {
  event_id: string;
  /**
   * Developer of the app that published the event; for an event of the platform, its user. Null
   * without one.
   */
  owner: string | null;
}

export interface HandleJob extends EventJob {
  /** Work that is left for one listener. Absent: all listeners are called. */
  rest?: { listener: string; after: string };
}

/** Jobs that call the event listeners of the gateway's features. */
export const eventQueue: QueueDefinition<{ handle: HandleJob }> = {
  name: 'platform-events',
  attempts: 30,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
  owner: ({ owner }) => owner ?? undefined,
  owners: 8, // a job is a few statements for each of at most 20 rules (`MAX_RULES_PER_JOB`): more at once would only wait for the database
};

/**
 * Jobs that send events of the platform to the host. A job does nothing if its event was deleted.
 */
export const eventsToHostQueue: QueueDefinition<{ post: EventJob }> = {
  name: 'events-to-host',
  attempts: 300,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
  owner: ({ owner }) => owner ?? undefined,
  owners: 8, // all jobs call the host: more at once would only wait for each other
};
