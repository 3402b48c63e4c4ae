import type { GivenKey } from '@platform/guards';
import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

/** An install or a removal that was news here. */
export interface KnownChange {
  event_id: string;
  user_id: string;
  tenant_id: string;
  app_id: string;
  is_removed: boolean;
  /** What the API key by which it was done was given; null, or left out, where a person did it or it became known from elsewhere. */
  scopes?: readonly string[] | null;
  /** That key; only with `scopes`. */
  key?: GivenKey | null;
}

export type InstallJobs = {
  /** Takes over what changed at the Registry. */
  'copy-changes': Record<string, never>;
  /** Gives the platform's own apps to users who lack them. */
  'complete-users': Record<string, never>;
  /** Removes what a user had who was erased. */
  'erase-user': { user_id: string };
  /** Publishes them as events: of one user, but for jobs of a release before. */
  'publish-changes': { changes: KnownChange[] };
};

/** The jobs of one user, who may install and remove without pause, delay nobody else's. */
export const installQueue: QueueDefinition<InstallJobs> = {
  name: 'installs',
  attempts: 300,
  backoff: exponentialBackoff(1_000, 300_000),
  concurrency: 2,
  owner: (job) => ('changes' in job ? job.changes[0]?.user_id : 'user_id' in job ? job.user_id : undefined),
};
