import { egressUrl, addressAndPort, isLocalhost, isPublicAddress, portOf } from '@platform/egress';
import { isIP } from 'node:net';

/**
 * Why nothing is posted to this address, as far as it says so itself; null where it may be. Where its name leads is looked at with each delivery;
 * `localhost` is 127.0.0.1.
 *
 * @param allow what may be called although it is not public: only that without TLS.
 */
export function endpointUrlRefusal(text: string, allow: ReadonlySet<string>): string | null {
  let url: URL;
  try {
    url = egressUrl(text);
  } catch (error) {
    return (error as Error).message;
  }
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const host = isLocalhost(name) ? '127.0.0.1' : name;
  const isAllowed = isIP(host) > 0 && allow.has(addressAndPort(host, portOf(url)));
  if (url.protocol !== 'https:' && !isAllowed) return 'Input should be a URL with https';
  return isIP(host) && !isAllowed && !isPublicAddress(host) ? 'Input should be the URL of a public address' : null;
}
