import { clientAddress } from './client-address.js';

const PROXIES = ['127.0.0.1', '10.0.0.1', 'fd00::1'];
const isTrusted = (address: string) => PROXIES.includes(address);
const read = (forwarded: string | undefined, peer: string | undefined = '127.0.0.1') =>
  clientAddress(peer, forwarded, isTrusted);

it.each([
  ['says nothing', undefined, '127.0.0.1'],
  ['sends the header empty', '', '127.0.0.1'],
  ['adds the address', '203.0.113.7', '203.0.113.7'],
  ['adds it with a port', '203.0.113.7:50123', '203.0.113.7'],
  ['adds IPv6 with a port', '198.51.100.1, [2001:DB8::1]:50123', '2001:db8::1'],
  ['adds it behind what the client claims', '1.2.3.4, garbage, 203.0.113.7', '203.0.113.7'],
  ['leaves entries empty', '1.2.3.4,203.0.113.7, ,\t,', '203.0.113.7'],
  ['stands behind another, whose address comes with a port', '203.0.113.7:1, 10.0.0.1:443', '203.0.113.7'],
  ['stands behind others of IPv6', '203.0.113.7, [FD00:0::0001]:443, ::ffff:10.0.0.1', '203.0.113.7'],
  ['stands behind one that nobody trusts', '203.0.113.7, 10.0.0.2:443', '10.0.0.2'],
  ['is the only one that asks', '10.0.0.1:5, fd00::1', '10.0.0.1'],
  ['does not know the client', '203.0.113.7, unknown', undefined],
  ['hides the client', '203.0.113.7, _hidden, 10.0.0.1', undefined],
])('finds the client of a proxy that %s', (_what, forwarded, address) => {
  expect(read(forwarded)).toBe(address);
});

it.each([
  ['IPv4 in IPv6', '::ffff:127.0.0.1', '203.0.113.7'],
  ['nobody trusts, whatever it says', '198.51.100.2', '198.51.100.2'],
  ['is link-local', 'fe80::1%eth0', 'fe80::1'],
  ['is gone', undefined, undefined],
])('of a peer that is %s', (_what, peer, address) => {
  expect(clientAddress(peer, '203.0.113.7', isTrusted)).toBe(address);
});
