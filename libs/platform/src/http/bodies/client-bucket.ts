import { canonicalIpAddress } from '@platform/contracts';
import ipaddr from 'ipaddr.js';

/**
 * Name under which the requests of a client are counted: its IPv4 address, or its IPv6 /64, the
 * network of one subscriber. Clients without a valid address share the name `unknown`.
 */
export function clientBucket(address: string | undefined): string {
  const canonical = address === undefined ? null : canonicalIpAddress(address);
  if (canonical === null) return 'unknown';
  const parsed = ipaddr.parse(canonical);
  if (!(parsed instanceof ipaddr.IPv6)) return canonical;
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
