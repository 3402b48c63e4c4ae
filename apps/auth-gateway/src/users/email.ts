/** What identifies an account: addresses that differ only in case or composition are the same person's. */
export const canonicalEmail = (email: string): string => email.normalize('NFC').toLowerCase();

/** Enough to recognise one's own address, not enough to learn another's. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}••${email.slice(at)}`;
}
