import { currentContext, safeEqual, type Keyring } from '@platform/platform';

export type MailTokenPurpose = 'reset_password' | 'verify_email';

/**
 * Makes the token in the mail of a job. It is derived from the job id, so each retry of the job has
 * the same token, and it is stored in no database.
 *
 * @param keyId id of a key of the keyring. Default: the current key.
 */
export const deriveMailToken = (keyring: Keyring, purpose: MailTokenPurpose, jobId: string, keyId?: string): string =>
  (keyring.mac(`mail-token/${purpose}`, jobId, keyId) as Buffer).toString('base64url');

/**
 * True if one of the server's keys makes this token for the mail of the job. Otherwise logs a
 * warning. The hash in the table only finds the link: links of removed keys are invalid, and write
 * access to the table is not enough to make a link.
 */
export function isDerivedMailToken(keyring: Keyring, purpose: MailTokenPurpose, token: string, jobId: string): boolean {
  if (keyring.ids.some((id) => safeEqual(token, deriveMailToken(keyring, purpose, jobId, id)))) return true;
  currentContext()?.log.warn(
    { job_id: jobId, purpose },
    'a mailed link is refused: its key is no longer in SECRET_KEYS',
  );
  return false;
}
