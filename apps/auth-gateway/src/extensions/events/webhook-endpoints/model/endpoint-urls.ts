import { parseEgressUrl, addressAndPort, isLocalhost, isPublicAddress, portOf } from '@platform/egress';
import { isIP } from 'node:net';

/**
 * Reason why the URL is refused; null if it is accepted: a URL with https whose host is a name or a
 * public address, or one whose address and port are in `allow`. Checks the text only: each delivery
 * checks the addresses behind a host name. `localhost` counts as 127.0.0.1.
 *
 * @param allow addresses with port that are allowed although they are not public. Only these work
 * without TLS.
 */
export function endpointUrlRefusal(text: string, allow: ReadonlySet<string>): string | null {
  let url: URL;
  try {
    url = parseEgressUrl(text);
  } catch (error) {
    return (error as Error).message;
  }
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const host = isLocalhost(name) ? '127.0.0.1' : name;
  const isAllowed = isIP(host) > 0 && allow.has(addressAndPort(host, portOf(url)));
  if (url.protocol !== 'https:' && !isAllowed) return 'Input should be a URL with https';
  return isIP(host) && !isAllowed && !isPublicAddress(host) ? 'Input should be the URL of a public address' : null;
}
