import { makeExactValidator } from 'envalid';
import { isIP } from 'node:net';
import { canonicalAddress } from './public-addresses.js';
import { EgressErrors } from './egress.errors.js';

const MAX_URL_LENGTH = 8_192;

/**
 * Ports from 1024 that browsers refuse too, because servers of other protocols could misread a
 * request.
 */
const BLOCKED_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]); // https://fetch.spec.whatwg.org/#port-blocking

/**
 * Parses the address of a request. It does not check that the host is public.
 *
 * @param base the address to which a relative `text` belongs.
 * @throws ExtensionError EGRESS_URL_REFUSED if it is not http(s), has more than 8,192 characters,
 * contains a name or a password, or has a port that is blocked: below 1024 all except 80 and 443,
 * from 1024 the ports that browsers block.
 */
export function parseEgressUrl(text: string, base?: string): URL {
  if (!URL.canParse(text, base)) throw EgressErrors.urlRefused('The address is not an absolute http(s) URL.');
  const url = new URL(text, base);
  if (url.href.length > MAX_URL_LENGTH)
    throw EgressErrors.urlRefused(`The address is longer than ${MAX_URL_LENGTH} characters.`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw EgressErrors.urlRefused('Only http and https addresses can be called.');
  if (url.username || url.password)
    throw EgressErrors.urlRefused('Send credentials in the Authorization header, not in the address.');
  const port = portOf(url);
  if (port < 1024 ? port !== 80 && port !== 443 : BLOCKED_PORTS.has(port))
    throw EgressErrors.urlRefused(`Port ${port} is not allowed.`);
  return url;
}

export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

export const addressAndPort = (address: string, port: number): string => `${canonicalAddress(address)} ${port}`;

/**
 * Validator of a configuration value `address:port,[v6 address]:port`: addresses that can be called
 * although they are not public. Gives the set of them, each as `addressAndPort` writes it.
 *
 * @throws Error if an entry is not an IP address and a port up to 65,535.
 */
export const addressesAndPorts = makeExactValidator<ReadonlySet<string>>((input) => {
  const entries = input.split(',').map((entry) => {
    const [, v6, v4, port] = /^(?:\[([^\]]+)\]|([\d.]+)):(\d{1,5})$/.exec(entry.trim()) ?? [];
    const address = v6 ?? v4 ?? '';
    if (!isIP(address) || Number(port) > 65_535)
      throw new Error('expected address:port,address:port with IP addresses');
    return addressAndPort(address, Number(port));
  });
  return new Set(entries);
});
