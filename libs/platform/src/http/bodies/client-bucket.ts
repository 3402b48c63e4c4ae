import ipaddr from 'ipaddr.js';

/** One bucket per IPv4 address and per IPv6 /64, which is what one subscriber gets; requests without an address share one. */
export function clientBucket(address: string | undefined): string {
  if (!address || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
