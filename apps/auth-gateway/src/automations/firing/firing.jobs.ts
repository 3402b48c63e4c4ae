import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

/** Looks for schedules that are due. */
export const tickQueue: QueueDefinition<{ tick: Record<string, never> }> = {
  name: 'automation-ticks',
  attempts: 1, // the next one is soon
  backoff: () => 1_000,
  concurrency: 1,
  isRoutine: true,
};

/** How long an action that is limited waits for its next try, and for how long after the firing it is tried. */
export const WHILE_LIMITED = { waitMs: 30_000, forMs: 15 * 60_000 };

/** The next action of a firing waits its turn like a job that comes anew. */
export const NEXT_ACTION_MS = 1;

/**
 * Does what a rule says, once it has fired. Beside the ticks, so that slow functions delay no schedule. `owner` is the rule's; jobs of a
 * release before have none.
 */
export const fireQueue: QueueDefinition<{ run: { fire_id: string; owner?: string } }> = {
  name: 'automation-fires',
  attempts: 4,
  backoff: exponentialBackoff(2_000, 60_000),
  givesUp: true, // the firing failed, which its user sees
  concurrency: 8,
  owner: ({ owner }) => owner,
};
