import { hostName } from './host-names.js';

it.each([
  ['acme.example.com', 'acme.example.com'],
  ['ACME.Example.COM', 'acme.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['\uff45xample.com', 'example.com'],
])('reads %s as %s', (text, name) => {
  expect(hostName(text)).toBe(name);
});

it.each([
  '',
  'acme',
  'localhost',
  'a..example',
  '.example.com',
  'example.com.',
  '-a.example.com',
  'a-.example.com',
  'a_b.example.com',
  'example.123',
  '127.0.0.1',
  '0x7f.1',
  '[::1]',
  'example.com:80',
  'https://example.com',
  'example.com/path',
  'user@example.com',
  'ex%61mple.com',
  'ex\u00adample.com',
  'ex\tample.com',
  'exam ple.com',
  'xn--zzzzzz.com',
  `${'a'.repeat(64)}.example.com`,
  `${'a.'.repeat(127)}example`,
  'a'.repeat(65_536),
])('refuses %j', (text) => {
  expect(hostName(text)).toBeNull();
});
