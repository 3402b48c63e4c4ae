import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

interface EventJob {
  event_id: string;
  /** The developer of the app that has published it; of the platform's own events the user. Jobs of a release before have none. */
  owner?: string | null;
}

export interface HandleJob extends EventJob {
  /** What one listener has left to do. Without it all are told. */
  rest?: { listener: string; after: string };
}

/** Tells the features of the gateway that listen. */
export const eventQueue: QueueDefinition<{ handle: HandleJob }> = {
  name: 'platform-events',
  attempts: 30,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
  owner: ({ owner }) => owner ?? undefined,
  owners: 8, // a job is a few statements for each of at most 20 rules (`RULES_OF_A_JOB`): more at once would only wait for the database
};

/** Tells the host of extensions. A job whose event is no longer kept does nothing. */
export const eventsToHostQueue: QueueDefinition<{ post: EventJob }> = {
  name: 'events-to-host',
  attempts: 300,
  backoff: exponentialBackoff(500, 300_000),
  concurrency: 8,
  owner: ({ owner }) => owner ?? undefined,
  owners: 8, // all ask the host: more at once would only wait for each other
};
