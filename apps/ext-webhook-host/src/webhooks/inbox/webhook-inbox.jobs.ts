import type { QueueDefinition } from '@platform/messaging';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What passes by itself is over after the first of them; what needs a person gets the rest of a day. */
const WAITS_MS = [5_000, 30_000, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS];

/** Before the attempt after this one, in milliseconds; without the spread. */
export const waitAfter = (attempt: number): number => WAITS_MS[Math.min(attempt, WAITS_MS.length) - 1] ?? 0;

export type WebhookInboxJobs = { deliver: { delivery_id: string } };

export const webhookInboxQueue: QueueDefinition<WebhookInboxJobs> = {
  name: 'webhook-inbox',
  attempts: WAITS_MS.length + 1,
  backoff: (attemptsMade) => Math.round(waitAfter(attemptsMade) * (1 + Math.random() / 5)),
  concurrency: 8,
};
