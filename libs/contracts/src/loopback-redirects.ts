import { hasUrlCharacters } from './https-urls.js';

export const MAX_REDIRECT_LENGTH = 2_000;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Normalises a redirect address on the user's own machine to the form that is stored and compared
 * (RFC 8252 section 7.3): `http`, a loopback address or `localhost`, any port. Null for anything
 * that the URL parser would change: other forms of the number, user information, missing or
 * backward slashes, control characters, spaces, dots in the path. Only the slash of an empty path
 * is added.
 */
export function loopbackRedirect(text: string): string | null {
  if (!hasUrlCharacters(text, MAX_REDIRECT_LENGTH) || text.includes('#') || !URL.canParse(text)) return null;
  const { protocol, hostname, port, href, username, password } = new URL(text);
  if (username || password) return null;
  if (protocol !== 'http:' || !LOOPBACK.includes(hostname) || port === '0') return null;
  return href === text || href === `${text}/` ? href : null;
}
