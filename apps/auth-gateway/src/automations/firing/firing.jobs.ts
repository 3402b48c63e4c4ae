import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

/** Looks for due schedules. */
export const tickQueue: QueueDefinition<{ tick: Record<string, never> }> = {
  name: 'automation-ticks',
  attempts: 1, // the next tick follows soon
  backoff: () => 1_000,
  concurrency: 1,
  isRoutine: true,
};

/** Milliseconds between retries of a limited action, and from the firing until the last retry. */
export const LIMITED_RETRY = { waitMs: 30_000, forMs: 15 * 60_000 };

/** Delay before the next action of a firing, so that it queues behind other jobs. */
export const NEXT_ACTION_MS = 1;

/**
 * Runs the actions of a fired rule. Separate from the ticks, so that slow functions do not delay
 * schedules. `owner` is the owner of the rule.
 */
export const fireQueue: QueueDefinition<{ run: { fire_id: string; owner: string } }> = {
  name: 'automation-fires',
  attempts: 4,
  backoff: exponentialBackoff(2_000, 60_000),
  givesUp: true, // a failed firing is shown to the user
  concurrency: 8,
  owner: ({ owner }) => owner,
};
