import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

export type DeployJobs = {
  run: { deploy_id: string };
};

/** A Registry that is down is waited for about half an hour; then the deploy has failed. */
export const deployQueue: QueueDefinition<DeployJobs> = {
  name: 'deploys',
  attempts: 35,
  backoff: exponentialBackoff(500, 60_000),
  concurrency: 4,
};
