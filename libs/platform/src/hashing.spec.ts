import { equalDigests, randomToken, safeEqual, sha256 } from './hashing.js';

it('hashes with SHA-256', () => {
  // https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values
  expect(sha256('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(sha256(Buffer.from('abc'))).toEqual(sha256('abc'));
});

it.each([
  ['the same', 'secret', 'secret', true],
  ['the same as bytes', 'secret', Buffer.from('secret'), true],
  ['another of the same length', 'secret', 'secreT', false],
  ['a shorter one', 'secret', 'secre', false],
  ['a longer one', 'secret', 'secret ', false],
  ['an empty one', 'secret', '', false],
])('compares with %s', (_what, a, b, equal) => {
  expect(safeEqual(a, b)).toBe(equal);
});

it('compares digests, also of other lengths', () => {
  expect(equalDigests(sha256('a'), sha256('a'))).toBe(true);
  expect(equalDigests(sha256('a'), sha256('b'))).toBe(false);
  expect(equalDigests(sha256('a'), sha256('a').subarray(1))).toBe(false);
});

it('makes tokens of 256 bits that fit into a URL and never repeat', () => {
  const tokens = Array.from({ length: 100 }, randomToken);
  expect(new Set(tokens).size).toBe(100);
  for (const token of tokens) {
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  }
});
