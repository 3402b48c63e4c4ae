import { canonicalIpAddress } from '@platform/contracts';
import ipaddr from 'ipaddr.js';

/** One bucket per IPv4 address and per IPv6 /64, which is what one subscriber gets; requests without an address share one. */
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
