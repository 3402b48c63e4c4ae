import type { OriginKey } from '@platform/guards';
import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

/** An installation or a removal that changed the copy. */
export interface KnownChange {
  event_id: string;
  user_id: string;
  tenant_id: string;
  app_id: string;
  is_removed: boolean;
  /**
   * Scopes of the API key that made the change; null if a person made it, or if the Registry
   * reported it.
   */
  scopes: readonly string[] | null;
  /** That API key; null without `scopes`. */
  key: OriginKey | null;
}

export type InstallJobs = {
  /** Copies changes from the Registry. */
  'copy-changes': Record<string, never>;
  /** Gives the platform's own apps to users who lack them. */
  'complete-users': Record<string, never>;
  /** Removes the installations of a deleted user. */
  'erase-user': { user_id: string };
  /** Publishes changes as events. All changes are of one user. */
  'publish-changes': { changes: KnownChange[] };
};

/**
 * Jobs take turns by user, so that a user who installs and removes apps without pause does not
 * delay others.
 */
export const installQueue: QueueDefinition<InstallJobs> = {
  name: 'installs',
  attempts: 300,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 2,
  owner: (job) => ('changes' in job ? job.changes[0]?.user_id : 'user_id' in job ? job.user_id : undefined),
};
