import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

const HOUR_MS = 3_600_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Mails to users. A job with `null` as user or signup does nothing. It exists so that a request for
 * an unknown address does the same work as for a known one.
 */
export type MailJobs = {
  /** `deferred`: the mail waits until the recipient can get another mail. */
  'verify-email': { signup_id: string | null; deferred?: boolean };
  /** Sent if a link was requested without a status token and several signups wait. */
  'several-signups': { tenant_id: string; email: string };
  /** Sent if the address of a user was used for a signup. */
  'account-exists': { user_id: string | null };
  /** Like `account-exists`, for a tenant that does not allow signups. */
  'signup-refused': { user_id: string | null };
  'reset-password': { user_id: string | null };
  'password-changed': { user_id: string; ended?: EndedCredentials };
  /** Mail of an app. */
  notification: { notification_id: string };
  /**
   * Mail of a kind that a feature added to `FeatureMailsRegistry`, about the object with this id.
   */
  feature: { kind: string; id: string };
};

/** Number of API keys and terminal sessions that a password reset ended; null if they were kept. */
export interface EndedCredentials {
  api_keys: number | null;
  terminal_sessions: number | null;
}

const QUICK_TRIES = (24 * HOUR_MS) / LONGEST_WAIT_MS;
const quick = exponentialBackoff(1_000, LONGEST_WAIT_MS);

/**
 * Retries at least every 30 s for a day, so that mails are sent soon after an outage of the mail
 * server, then every hour. Gives up after five days (RFC 5321, 4.5.4.1), so that a mailbox that
 * accepts no mail is not tried forever.
 */
export const mailQueue: QueueDefinition<MailJobs> = {
  name: 'mail',
  attempts: QUICK_TRIES + 4 * 24,
  backoff: (attemptsMade) => (attemptsMade < QUICK_TRIES ? quick(attemptsMade) : HOUR_MS),
  givesUp: true,
  concurrency: 4,
};
