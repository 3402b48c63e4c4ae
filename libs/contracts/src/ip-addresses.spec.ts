import { canonicalIpAddress } from './ip-addresses.js';

it.each([
  ['an IPv4 address', '203.0.113.7', '203.0.113.7'],
  ['with a port', '203.0.113.7:50123', '203.0.113.7'],
  ['with a port that is hidden', '203.0.113.7:_x1', '203.0.113.7'],
  ['with spaces', ' \t203.0.113.7 ', '203.0.113.7'],
  ['in quotes', '"203.0.113.7:80"', '203.0.113.7'],
  ['an IPv4 address in IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
  ['the same in hexadecimal, in capitals', '::FFFF:CB00:7107', '203.0.113.7'],
  ['the same with a port', '::ffff:203.0.113.7:50123', '203.0.113.7'],
  ['the same in brackets', '[::ffff:203.0.113.7]:50123', '203.0.113.7'],
  ['an IPv6 address', '2001:db8::1', '2001:db8::1'],
  ['in brackets', '[2001:db8::1]', '2001:db8::1'],
  ['in brackets, with a port', '[2001:db8::1]:443', '2001:db8::1'],
  ['in brackets and quotes, with a port', '"[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
  ['in capitals, with zeros', '2001:0DB8:0000:0000:0000:0000:0000:000A', '2001:db8::a'],
  ['in full, with a port', '2001:db8:0:0:0:0:0:1:50123', '2001:db8::1'],
  ['whose last part may be a port', '2001:db8::1:443', '2001:db8::1:443'],
  ['with a zone', 'fe80::1%eth0', 'fe80::1'],
  ['with a zone, in brackets, with a port', '[FE80::1%25eth0]:443', 'fe80::1'],
  ['loopback', '0:0:0:0:0:0:0:1', '::1'],
])('finds the address: %s', (_what, text, address) => {
  expect(canonicalIpAddress(text)).toBe(address);
});

it.each([
  ...[
    '',
    ' ',
    'unknown',
    '_hidden',
    '_',
    '-',
    'localhost',
    'localhost:80',
    'proxy.example.com',
    '""',
    '"',
    '[]',
    '[]:80',
    '[unknown]:80',
    ':80',
  ],
  ...[
    '203.0.113',
    '203.0.113.256',
    '203.0.113.007',
    '0xcb.0.113.7',
    '3405803783',
    '203.0.113.7:',
    '203.0.113.7:x',
    '203.0.113.7:123456',
  ],
  ...[
    '203.0.113.7%eth0',
    '[203.0.113.7',
    '203.0.113.7]',
    '"203.0.113.7',
    '203.0.113.7/32',
    '203.0.113.7 203.0.113.8',
    '203.0.113.7,203.0.113.8',
  ],
  ...[
    '2001:db8::1::2',
    '2001:db8::12345',
    '[2001:db8::1]443',
    '[[2001:db8::1]]',
    '::ffff:203.000.113.007',
    'for=203.0.113.7',
    '%eth0',
    '\0',
  ],
  `${'['.repeat(10_000)}::1`,
])('finds none in %j', (text) => {
  expect(canonicalIpAddress(text)).toBeNull();
});
