import { hostName } from './host-names.js';

/** RFC 3986 section 2: whatever else a URL is made of is percent-encoded. So no control character, space, backslash or quote is in it. */
const URL_CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;
const MAX_PORT = 65_535;

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

/** Why this is no absolute http or https URL without credentials and without fragment; null where it is one. Its host may be an address. */
export function webUrlFault(text: string, maxLength: number): string | null {
  if (text.length > maxLength) return `String should have at most ${maxLength} characters`;
  if (text.includes('#')) return 'Input should be a URL without a fragment (#)';
  const authority = /^https?:\/\/([^/?]+)/i.exec(text)?.[1];
  if (authority?.includes('@')) return 'Input should be a URL without credentials';
  if (authority !== undefined && !hasPort(authority)) return 'Input should be a URL whose port is a number up to 65535';
  return authority !== undefined && hasUrlCharacters(text, maxLength) && URL.canParse(text) ? null : 'Input should be a URL with https';
}

/** Whether what is behind the host is a port, or nothing. */
function hasPort(authority: string): boolean {
  const port = /:([^:\]]*)$/.exec(authority)?.[1] ?? '';
  return /^\d{0,5}$/.test(port) && Number(port) <= MAX_PORT;
}
