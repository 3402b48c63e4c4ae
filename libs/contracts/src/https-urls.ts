import { hostName } from './host-names.js';

/** RFC 3986 section 2: whatever else a URL is made of is percent-encoded. So no control character, space, backslash or quote is in it. */
const URL_CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;

export const hasUrlCharacters = (text: string, maxLength: number): boolean => text.length <= maxLength && URL_CHARACTERS.test(text);

/**
 * Whether this is an absolute https URL without credentials, whose host has a name. The parser forgives `https:host`, `https:/host` and
 * an empty user, so what it takes is not enough.
 */
export function isHttpsUrl(text: string, maxLength: number): boolean {
  if (!hasUrlCharacters(text, maxLength)) return false;
  const authority = /^https:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (!authority || authority.includes('@') || !URL.canParse(text)) return false;
  return hostName(new URL(text).hostname) !== null;
}
