import { webAddress } from './web-address.js';

it.each([
  ['https://panel.example.com', 'https://panel.example.com/'],
  ['HTTP://Panel.Example.com:3000/docs?a=b#c', 'http://panel.example.com:3000/docs?a=b#c'],
  ['https:\\\\panel.example.com\\docs', 'https://panel.example.com/docs'],
  [' https://panel.example.com/a b"c', 'https://panel.example.com/a%20b%22c'],
])('%j is the address %s', (text, href) => {
  expect(webAddress(text)?.href).toBe(href);
});

it.each([
  '\\\\evil\\share\\x.exe',
  '//evil/share/x.exe',
  'C:\\Windows\\System32\\calc.exe',
  '/bin/sh',
  'calc.exe',
  'file:///etc/passwd',
  'smb://evil/share',
  'ms-msdt:/id',
  'javascript:alert(1)',
  'data:text/html,x',
  '--version',
  '-a',
  'https://',
  'https://ada:secret@example.com',
  '',
])('%j is none', (text) => {
  expect(webAddress(text)).toBeNull();
});
