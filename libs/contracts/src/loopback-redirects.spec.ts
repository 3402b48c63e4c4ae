import { loopbackRedirect } from './loopback-redirects.js';

it.each([
  ['http://127.0.0.1:51004/callback', 'http://127.0.0.1:51004/callback'],
  ['http://127.0.0.1:51004', 'http://127.0.0.1:51004/'],
  ['http://[::1]:8080/a/b?c=d%20e', 'http://[::1]:8080/a/b?c=d%20e'],
  ['http://localhost/', 'http://localhost/'],
])('stores %s as %s', (typed, stored) => {
  expect(loopbackRedirect(typed)).toBe(stored);
  expect(loopbackRedirect(stored)).toBe(stored);
});

it.each([
  ...[
    'http://0x7f.1:80/',
    'http://0x7f.0.0.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://127.1/',
    'http://127.0.0.01/',
    'http://0177.0.0.1/',
  ],
  ...[
    'http://127.0.0.2/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::0001]/',
    'http://[::ffff:127.0.0.1]/',
  ],
  ...[
    'http:/127.0.0.1/',
    'http:127.0.0.1/',
    'http:///127.0.0.1/',
    'http:\\\\127.0.0.1/',
    'http://127.0.0.1\\@evil.example/',
    'http://127.0.0.1\\cb',
  ],
  ...[
    'http://a@127.0.0.1/',
    'http://@127.0.0.1/',
    'http://:@127.0.0.1/',
    'http://a:b@127.0.0.1/',
    'http://127.0.0.1@evil.example/',
    'http://127.0.0.1%40evil.example/',
  ],
  ...[
    'http://127.0.0.1/\n',
    'http://127.0.0.1/\tcb',
    'ht\ntp://127.0.0.1/',
    ' http://127.0.0.1/',
    'http://127.0.0.1/a b',
    'http://127.0.0.1/\0',
    'http://127.0.0.1/\u007f',
  ],
  ...[
    'http://127.0.0.1:080/',
    'http://127.0.0.1:80/',
    'http://127.0.0.1:0/',
    'http://127.0.0.1:65536/',
    'http://127.0.0.1:/',
  ],
  ...[
    'HTTP://127.0.0.1/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://%6cocalhost/',
    'http://\uff4cocalhost/',
    'http://localhost.evil.example/',
  ],
  ...[
    'http://127.0.0.1/a/../b',
    'http://127.0.0.1/./a',
    'http://127.0.0.1/%2e%2e/a',
    'http://127.0.0.1/#',
    'http://127.0.0.1/?a#b',
    'http://127.0.0.1/é',
    'http://127.0.0.1/"',
  ],
  ...[
    'https://127.0.0.1/',
    'javascript:alert(1)',
    'file:///127.0.0.1',
    '//127.0.0.1/',
    '127.0.0.1',
    '',
    `http://127.0.0.1/${'a'.repeat(2_000)}`,
  ],
])('refuses %j', (typed) => expect(loopbackRedirect(typed)).toBeNull());
