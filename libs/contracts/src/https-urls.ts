import { hostName } from './host-names.js';

/**
 * RFC 3986 section 2: all other characters in a URL are percent-encoded. So there is no control
 * character, space, backslash or quote.
 */
const URL_CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;
const MAX_PORT = 65_535;

export const hasUrlCharacters = (text: string, maxLength: number): boolean =>
  text.length <= maxLength && URL_CHARACTERS.test(text);

/**
 * True for an absolute https URL without credentials whose host has a name. The parser alone is not
 * enough, because it also accepts `https:host`, `https:/host` and an empty user.
 */
export function isHttpsUrl(text: string, maxLength: number): boolean {
  if (!hasUrlCharacters(text, maxLength)) return false;
  const authority = /^https:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (!authority || authority.includes('@') || !URL.canParse(text)) return false;
  return hostName(new URL(text).hostname) !== null;
}

/**
 * Finds the problem of a text that must be an absolute http or https URL, as a message; null if
 * there is none. The URL must have no credentials and no fragment; its host can be an IP address.
 */
export function webUrlFault(text: string, maxLength: number): string | null {
  if (text.length > maxLength) return `String should have at most ${maxLength} characters`;
  if (text.includes('#')) return 'Input should be a URL without a fragment (#)';
  const authority = /^https?:\/\/([^/?]+)/i.exec(text)?.[1];
  if (authority?.includes('@')) return 'Input should be a URL without credentials';
  if (authority !== undefined && !hasPort(authority)) return 'Input should be a URL whose port is a number up to 65535';
  return authority !== undefined && hasUrlCharacters(text, maxLength) && URL.canParse(text)
    ? null
    : 'Input should be a URL with https';
}

/** True if the text after the host is a port number or empty. */
function hasPort(authority: string): boolean {
  const port = /:([^:\]]*)$/.exec(authority)?.[1] ?? '';
  return /^\d{0,5}$/.test(port) && Number(port) <= MAX_PORT;
}
