/**
 * Parses an http(s) address without a name and password; null for other texts, such as a file, a
 * network share or an option. Addresses from a platform pass this check before the desktop opens
 * them: it would open or run anything else as well.
 */
export function webAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isOfTheWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isOfTheWeb && !url.username && !url.password ? url : null;
}
