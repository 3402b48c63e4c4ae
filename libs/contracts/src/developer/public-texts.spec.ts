import { isAppIcon, isGitUrl } from './public-texts.js';

it.each([
  'https://git.example.com/ada/invoices.git',
  'https://git.example.com:8443/ada/invoices',
  'ssh://git@git.example.com/ada/invoices.git',
  'ssh://git.example.com:22/ada/invoices.git',
  'git@git.example.com:ada/invoices.git',
  'git@git.example.com:~ada/invoices.git',
])('takes the git URL %s', (url) => expect(isGitUrl(url)).toBe(true));

it.each([
  '',
  'https://a',
  'http://git.example.com/ada/invoices.git',
  'git://git.example.com/ada/invoices.git',
  'file:///etc/passwd',
  'ext::sh -c touch% /tmp/x',
  'https://ada:secret@git.example.com/a.git',
  'https://token@git.example.com/a.git',
  'https://127.0.0.1/ada/invoices.git',
  'ssh://git:secret@git.example.com/a.git',
  'ssh://-oProxyCommand=x/a.git',
  'ssh://-l@git.example.com/a.git',
  'ssh://git.example.com',
  '-git@git.example.com:a.git',
  'git@-oProxyCommand=x:a.git',
  'git@git.example.com:-a.git',
  'git@127.0.0.1:ada/invoices.git',
  'git@git.example.com:ada/in voices.git',
  'git@git.example.com:a.git\nhttps://x',
  '../ada/invoices.git',
  `https://git.example.com/${'x'.repeat(500)}`,
])('takes no git URL %j', (url) => expect(isGitUrl(url)).toBe(false));

it.each([
  'invoice',
  'file-text_2',
  '\u{1f9fe}',
  '\u{1f468}\u200d\u{1f4bb}',
  '\u2764\ufe0f',
  'https://cdn.example.com/icon.svg',
])('takes the icon %s', (icon) => expect(isAppIcon(icon)).toBe(true));

it.each([
  '',
  'javascript:alert(1)',
  'data:image/png;base64,AAAA',
  'http://cdn.example.com/icon.svg',
  '//cdn.example.com/icon.svg',
  '/icon.svg',
  '<svg>',
  'a"onload="x',
  "a'b",
  'a&amp;b',
  'a\nb',
  '\u202eabc',
])('takes no icon %j', (icon) => expect(isAppIcon(icon)).toBe(false));
