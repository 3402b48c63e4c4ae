import { truncateText, hasAtLeast, hasAtMost, lengthOf, shortenText } from './text-lengths.js';

const FAMILY = '👨‍👩‍👧‍👦';

it.each([
  ['', 0],
  ['abc', 3],
  ['a😀', 2],
  [FAMILY, 7],
  ['e\u0301', 2],
  ['\ud83d', 1],
])('%j has %i characters', (text, length) => {
  expect(lengthOf(text)).toBe(length);
  expect([length - 1, length, length + 1].map((limit) => hasAtMost(limit, text))).toEqual([false, true, true]);
  expect([length - 1, length, length + 1].map((limit) => hasAtLeast(limit, text))).toEqual([true, true, false]);
});

it.each([
  ['abcdef', 3, 'abc'],
  ['abc', 3, 'abc'],
  ['ab😀', 3, 'ab😀'],
  ['ab😀d', 3, 'ab😀'],
  ['ab😀d', 2, 'ab'],
  [`${'x'.repeat(1_999)}😀`, 2_000, `${'x'.repeat(1_999)}😀`],
  [`${'x'.repeat(2_000)}😀`, 2_000, 'x'.repeat(2_000)],
  [`a${FAMILY}b`, 7, 'a'],
  [`a${FAMILY}b`, 8, `a${FAMILY}`],
  ['abe\u0301d', 3, 'ab'],
  ['🇩🇪🇫🇷', 3, '🇩🇪'],
  ['각각'.normalize('NFD'), 4, '각'.normalize('NFD')],
  ['one\r\ntwo', 4, 'one'],
  [`a${'\u0301'.repeat(1_000)}`, 500, `a${'\u0301'.repeat(499)}`],
  ['abc', 0, ''],
])('the beginning of %j of %i characters ends between two', (text, maximum, expected) => {
  expect(truncateText(text, maximum)).toBe(expected);
});

it('cuts nothing into half, wherever it is', () => {
  const text = `Zoe\u0308 ${FAMILY}👩‍🚀 한글 नमस्ते 🇩🇪 x`.repeat(3);
  for (let maximum = 0; maximum <= lengthOf(text); maximum++) {
    const begin = truncateText(text, maximum);
    expect(begin).not.toMatch(/\p{Surrogate}/u);
    expect(lengthOf(begin)).toBeLessThanOrEqual(maximum);
    expect(text.startsWith(begin)).toBe(true);
    expect(lengthOf(shortenText(text, maximum + 1))).toBeLessThanOrEqual(maximum + 1);
  }
});

it('says of a shortened text that it goes on', () => {
  expect(['abcd', 'abc d', 'abc'].map((text) => shortenText(text, 3))).toEqual(['ab…', 'ab…', 'abc']);
  expect(shortenText('ab 😀😀', 4)).toBe('ab…');
});
