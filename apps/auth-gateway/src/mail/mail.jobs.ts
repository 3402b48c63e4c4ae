import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

const HOUR_MS = 3_600_000;
const LONGEST_WAIT_MS = 30_000;

/** Mail that a business change causes. Without a user (`null`) a job does nothing: it is there so that a request for an unknown
 * address costs the same as one for a known address. */
export type MailJobs = {
  'verify-email': { user_id: string | null };
  'account-exists': { user_id: string | null };
  'reset-password': { user_id: string | null };
  'password-changed': { user_id: string };
  /** Of an app. */
  notification: { notification_id: string };
};

/** A mail server that is down is tried for a day, at least every 30 s, so that mail arrives soon after it is back. */
export const mailQueue: QueueDefinition<MailJobs> = {
  name: 'mail',
  attempts: (24 * HOUR_MS) / LONGEST_WAIT_MS,
  backoff: exponentialBackoff(1_000, LONGEST_WAIT_MS),
  concurrency: 4,
};
