import { table } from './table.js';

it('aligns the columns', () => {
  expect(
    table(
      ['ID', 'LABEL', 'X'],
      [
        ['1', 'a longer label', 'x'],
        ['22', '', ''],
      ],
    ),
  ).toBe('ID  LABEL           X\n1   a longer label  x\n22');
});

it('prints nothing that acts on the terminal', () => {
  const clearScreen = '\u001b[2J';
  const reversed = '\u202egnp.exe';
  expect(table(['LABEL'], [[`${clearScreen}a\nb\u009b31m${reversed}`]])).toBe('LABEL\n[2Ja b31mgnp.exe');
});

it('keeps a line for each row, whatever is written in it', () => {
  expect(table(['LABEL', 'X'], [['one\r\ntwo\tthree\u2028four', 'x']])).toBe(
    'LABEL               X\none two three four  x',
  );
});

it.each([
  ['東京', 4],
  ['Ｋ', 2],
  ['한글', 4],
  ['한글'.normalize('NFD'), 4],
  ['Zoe\u0308', 3],
  ['👨‍👩‍👧‍👦', 2],
  ['❤️', 2],
  ['می‌خواهم', 7],
  ['אבי', 3],
])('aligns what stands behind %s, which takes %i columns', (text, columns) => {
  const [, row] = table(
    ['A', 'B'],
    [
      [text, 'x'],
      ['1234567', 'x'],
    ],
  ).split('\n');
  expect(row?.replace('\u200e', '')).toBe(`${text}${' '.repeat(7 - columns)}  x`);
});

it('keeps the order of columns beside texts from right to left', () => {
  expect(table(['A', 'B'], [['אבי', 'דנה']])).toBe('A    B\nאבי\u200e  דנה\u200e');
});
