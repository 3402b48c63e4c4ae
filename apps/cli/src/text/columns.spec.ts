import { columnsOf, fitted } from './columns.js';
import { printable, printableLines } from './printable.js';

it.each([
  ['a plain text', 12, 'a plain text'],
  ['a plain text', 11, 'a plain te…'],
  ['東京都庁', 5, '東京…'],
  ['東京都庁', 6, '東京…'],
  ['ab👨‍👩‍👧‍👦c', 4, 'ab…'],
  ['Zoe\u0308s', 3, 'Zo…'],
])('%s fits into %i columns as %s', (text, columns, expected) => {
  expect(fitted(text, columns)).toBe(expected);
  expect(columnsOf(expected)).toBeLessThanOrEqual(columns);
});

it('a text for people keeps its lines and joined characters, and nothing that acts on the terminal', () => {
  const text = 'one\r\n\u001b[2Jtwo\u202e\n\n👩‍🚀 می‌خواهم\n';
  expect(printable(text)).toBe('one [2Jtwo 👩‍🚀 می‌خواهم ');
  expect(printableLines(text)).toBe('one\n[2Jtwo\n\n👩‍🚀 می‌خواهم');
});
