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
  expect(table(['LABEL'], [[`${clearScreen}a\nb\u009b31m${reversed}`]])).toBe('LABEL\n[2Jab31mgnp.exe');
});
