import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

export type DeployJobs = {
  /** `owner` is the developer of the app; null for an app of nobody. Jobs of a release before have none. */
  run: { deploy_id: string; owner?: string | null };
};

/** A Registry that is down is waited for about half an hour; then the deploy has failed. */
export const deployQueue: QueueDefinition<DeployJobs> = {
  name: 'deploys',
  attempts: 35,
  backoff: exponentialBackoff(500, 60_000),
  givesUp: true, // the deploy failed, which its developer sees
  concurrency: 4,
  owners: 16, // each has documents in memory, and asks the Registry
  owner: ({ owner }) => owner ?? undefined,
};
