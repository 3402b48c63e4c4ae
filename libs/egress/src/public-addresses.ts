import ipaddr from 'ipaddr.js';

/**
 * All of IPv6 that IANA has assigned for the public. ipaddr.js counts addresses outside of it as
 * unicast, too.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/**
 * NAT64's well-known prefix (RFC 6052): the last four bytes are the IPv4 address that is really
 * reached.
 */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Looks public, but is the address at which Azure's hosts talk to their virtual machines. */
const AZURE_WIRE_SERVER = '168.63.129.16';

/**
 * Canonical form of an IP address: an IPv4 address in the form `::ffff:…` becomes an IPv4 address.
 *
 * @throws Error if the text is not an IP address.
 */
export const canonicalAddress = (address: string): string => ipaddr.process(address).toString();

/**
 * True if packets to this IP address go to the public internet: global unicast, no special range,
 * and not the address of Azure's hosts (168.63.129.16). For an address of NAT64, the IPv4 address
 * in it decides. False if the text is not an IP address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && address.toString() !== AZURE_WIRE_SERVER;
  if (address.match(NAT64)) return isPublicAddress(address.toByteArray().slice(-4).join('.'));
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
}
