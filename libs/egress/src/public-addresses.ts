import ipaddr from 'ipaddr.js';

/** All that IANA has handed out of IPv6 for the public; ipaddr.js takes what lies outside of it for unicast too. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** NAT64's well-known prefix (RFC 6052): the last four bytes are the IPv4 address that is really reached. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Looks public, but is how Azure's hosts talk to the machines on them. */
const AZURE_WIRE_SERVER = '168.63.129.16';

/** The one way in which an address is written: an IPv4 address that comes as `::ffff:…` is an IPv4 address. */
export const canonicalAddress = (address: string): string => ipaddr.process(address).toString();

/** Whether packets to this IP address leave for the public internet: global unicast, and nothing that is special in any way. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && address.toString() !== AZURE_WIRE_SERVER;
  if (address.match(NAT64)) return isPublicAddress(address.toByteArray().slice(-4).join('.'));
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
}
