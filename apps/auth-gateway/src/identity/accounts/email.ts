/** Enough to recognise one's own address, not enough to learn another's. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${Array.from(email)[0]}••${email.slice(at)}`;
}
