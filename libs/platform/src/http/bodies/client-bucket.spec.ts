import { clientBucket } from './client-bucket.js';

describe('clientBucket', () => {
  it.each([
    ['an IPv4 address', '192.0.2.1', '192.0.2.1'],
    ['an IPv4 address in IPv6', '::ffff:192.0.2.1', '192.0.2.1'],
    ['the same in hexadecimal', '::ffff:c000:201', '192.0.2.1'],
    ['an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['another of the same /64', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['one of the next /64', '2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['an IPv6 address written in capitals and in full', '2001:0DB8:0001:0002:0000:0000:0000:0001', '2001:db8:1:2::/64'],
    ['loopback', '::1', '0:0:0:0::/64'],
    ['a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['garbage', 'garbage', 'unknown'],
    ['a host name', 'localhost', 'unknown'],
    ['an address with a port', '192.0.2.1:1234', '192.0.2.1'],
    ['an IPv6 address with a port', '[2001:db8:1:2::9]:1234', '2001:db8:1:2::/64'],
    ['a name that hides', '_hidden', 'unknown'],
    ['nothing', '', 'unknown'],
  ])('of %s', (_what, address, bucket) => {
    expect(clientBucket(address)).toBe(bucket);
  });

  it('of a request without an address', () => {
    expect(clientBucket(undefined)).toBe('unknown');
  });
});
