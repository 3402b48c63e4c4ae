/**
 * Masks an e-mail address, as in `a••@example.com`, so that the owner can recognise it: only the
 * first character and the domain stay.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${Array.from(email)[0]}••${email.slice(at)}`;
}
