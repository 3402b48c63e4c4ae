import { steppedRetries, type QueueDefinition } from '@platform/messaging';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Temporary failures are over after the first retries. The rest of a day is for failures that a
 * person must fix.
 */
const { waitAfter, ...retries } = steppedRetries([
  5_000,
  30_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
]);
export { waitAfter };

export type WebhookInboxJobs = { deliver: { delivery_id: string; app_id: string } };

export const webhookInboxQueue: QueueDefinition<WebhookInboxJobs> = {
  name: 'webhook-inbox',
  ...retries,
  givesUp: true, // the developer sees the failed delivery
  concurrency: 8,
  owner: ({ app_id }) => app_id,
};
