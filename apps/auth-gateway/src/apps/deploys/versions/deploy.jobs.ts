import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

export type DeployJobs = {
  /** `owner` is the developer of the app; null for a system app. */
  run: { deploy_id: string; owner: string | null };
};

/** Retries for about half an hour while the Registry is down; then the deploy fails. */
export const deployQueue: QueueDefinition<DeployJobs> = {
  name: 'deploys',
  attempts: 35,
  backoff: exponentialBackoff(500, 60_000),
  givesUp: true, // a failed deploy is reported to its developer
  concurrency: 4,
  owners: 16, // each deploy holds documents in memory and calls the Registry
  owner: ({ owner }) => owner ?? undefined,
};
