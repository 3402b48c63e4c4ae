/**
 * Masks an e-mail address, as in `a••@example.com`: the owner can recognise it, but others cannot
 * learn it.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${Array.from(email)[0]}••${email.slice(at)}`;
}
