import { ownPath, signInPath } from './own-path.js';

const ORIGIN = 'https://panel.example.com';

it.each(['/', '/device?code=BCDF-GHJK', '/device#top', '/a//b', '/%2F%2Fevil.example'])(
  'leads to %s, which is ours',
  (path) => {
    expect(ownPath(path, ORIGIN)).toBe(path);
  },
);

it.each([
  null,
  '',
  'device',
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'javascript:alert(1)',
  '//panel.example.com:444/',
  '//[',
])('leads home instead of to %j', (path) => {
  expect(ownPath(path, ORIGIN)).toBe('/');
});

it('keeps where one wanted to go', () => {
  expect(signInPath('/')).toBe('/login');
  expect(signInPath('//')).toBe('/login?next=%2F%2F');
  const next = new URL(signInPath('/device?code=BCDF-GHJK'), ORIGIN).searchParams.get('next');
  expect(ownPath(next, ORIGIN)).toBe('/device?code=BCDF-GHJK');
});

it('signs in to the tenant that the wanted page names', () => {
  const path = signInPath('/device?code=BCDF-GHJK&tenant=acme');
  expect(new URL(path, ORIGIN).searchParams.get('tenant')).toBe('acme');
});
