import { currentContext, safeEqual, type Keyring } from '@platform/platform';

export type MailTokenPurpose = 'reset_password' | 'verify_email';

/** The token that the mail of a job holds: the same whenever the job runs, and in no database. */
export const mailToken = (keyring: Keyring, purpose: MailTokenPurpose, jobId: string, keyId?: string): string =>
  (keyring.mac(`mail-token/${purpose}`, jobId, keyId) as Buffer).toString('base64url');

/**
 * Whether one of the secret keys that the server has makes this token for the mail of that job. The hash in a table only finds a link: what
 * a dropped key made is good no more, and nobody makes a link by writing to the table.
 */
export function isMailToken(keyring: Keyring, purpose: MailTokenPurpose, token: string, jobId: string): boolean {
  if (keyring.ids.some((id) => safeEqual(token, mailToken(keyring, purpose, jobId, id)))) return true;
  currentContext()?.log.warn(
    { job_id: jobId, purpose },
    'a mailed link is refused: it was made with a secret key that SECRET_KEYS has no more',
  );
  return false;
}
