import { exponentialBackoff, type QueueDefinition } from '@platform/messaging';

const HOUR_MS = 3_600_000;
const LONGEST_WAIT_MS = 30_000;

/** Mail that a business change causes. Without a user or signup (`null`) a job does nothing: it is there so that a request for an unknown
 * address costs the same as one for a known address. */
export type MailJobs = {
  /** `deferred`: it is sent when the recipient may get another mail. */
  'verify-email': { signup_id: string | null; deferred?: boolean };
  /** Asked for by somebody who did not say which of several signups is theirs. */
  'several-signups': { tenant_id: string; email: string };
  /** Somebody signed up with the address of a user. */
  'account-exists': { user_id: string | null };
  /** The same where the tenant takes no signups. */
  'signup-refused': { user_id: string | null };
  'reset-password': { user_id: string | null };
  'password-changed': { user_id: string; ended?: EndedCredentials };
  /** Of an app. */
  notification: { notification_id: string };
  /** Of a kind that a feature added to `FeatureMails`, about what has this id. */
  feature: { kind: string; id: string };
};

/** What a reset of the password ended beside the sessions of browsers; null for what was kept. */
export interface EndedCredentials {
  api_keys: number | null;
  terminal_sessions: number | null;
}

const QUICK_TRIES = (24 * HOUR_MS) / LONGEST_WAIT_MS;
const quick = exponentialBackoff(1_000, LONGEST_WAIT_MS);

/**
 * A mail server that is down is tried at least every 30 s for a day, so that mail arrives soon after it is back, then every hour. Gives up after five days
 * (RFC 5321, 4.5.4.1): a mailbox that never takes a mail would else be tried for ever.
 */
export const mailQueue: QueueDefinition<MailJobs> = {
  name: 'mail',
  attempts: QUICK_TRIES + 4 * 24,
  backoff: (attemptsMade) => (attemptsMade < QUICK_TRIES ? quick(attemptsMade) : HOUR_MS),
  givesUp: true,
  concurrency: 4,
};
