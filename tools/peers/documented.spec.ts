import { documentedLines, withOurOwn } from './documented.js';

it.each([
  ['nginx', 'proxy_set_header X-Forwarded-For $remote_addr;'],
  ['nginx', 'client_max_body_size 5m;'],
  ['nginx-upgrade', 'proxy_set_header Connection "upgrade";'],
  ['haproxy', 'http-request set-header X-Forwarded-For %[src]'],
  ['caddyfile', 'reverse_proxy 127.0.0.1:4003'],
  ['postfix', 'smtpd_tls_security_level = may'],
  ['redis', 'maxmemory-policy noeviction'],
])('the page for operators has lines for %s: %s', (language, line) => {
  expect(
    documentedLines(language)
      .split('\n')
      .map((each) => each.trim()),
  ).toContain(line);
});

it('tells one language from another that begins with its name', () => {
  const page = '```nginx-upgrade\nb\n```\n\n```nginx\na\n```\n';
  expect([documentedLines('nginx', page), documentedLines('nginx-upgrade', page)]).toEqual(['a\n', 'b\n']);
  expect(() => documentedLines('apache', page)).toThrow('has no lines for apache');
});

it('replaces each example, and misses none that is gone', () => {
  expect(withOurOwn('a:1 b:1', [['1', '2']])).toBe('a:2 b:2');
  expect(() => withOurOwn('a', [['b', 'c']])).toThrow('have no "b"');
});
