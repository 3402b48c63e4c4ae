import { printedLine, shellWords, tutorialBlocks } from './blocks.js';

it('reads files, commands and what goes on in another terminal', () => {
  const markdown = [
    ...['# Title', '```ts src/a.ts', 'export {};', '```', '```ts', 'not a file', '```'],
    ...['```console', '$ platform call notes add --params \'{"a b": 1}\'', '{', '…', '}', '$ cd notes', '```'],
    ...['```console dev', '$ platform dev', '✔ live', '```', '```console dev', '✔ again', '```', ''],
  ].join('\n');
  expect(tutorialBlocks(markdown)).toEqual([
    { kind: 'file', path: 'src/a.ts', text: 'export {};\n' },
    {
      kind: 'commands',
      terminal: null,
      commands: [
        { words: ['platform', 'call', 'notes', 'add', '--params', '{"a b": 1}'], prints: ['{', '}'] },
        { words: ['cd', 'notes'], prints: [] },
      ],
      goesOn: [],
    },
    { kind: 'commands', terminal: 'dev', commands: [{ words: ['platform', 'dev'], prints: ['✔ live'] }], goesOn: [] },
    { kind: 'commands', terminal: 'dev', commands: [], goesOn: ['✔ again'] },
  ]);
});

it('parts words as a shell does', () => {
  expect(shellWords(`a 'b c'd "e 'f'" g`)).toEqual(['a', 'b cd', "e 'f'", 'g']);
});

it.each([
  ['✔ notes 0.1.0-dev.2 is live, 0.21 s after the save.', '✔ notes 0.1.0-dev.2 is live, 1.05 s after the save.', true],
  ['✔ notes 0.1.0-dev.2 is live, 0.21 s after the save.', '✔ notes 0.1.0-dev.3 is live, 1.05 s after the save.', false],
  [
    '2026-11-22 10:02:11  info     function add  Done in 4.2 ms.',
    '2027-01-02 03:04:05  info     function add  Done in 14.0 ms.',
    true,
  ],
  ['  "id": "…"', '  "id": "rec_1"', true],
  ['a', 'ab', false],
])('%s is what %s shows: %s', (shown, printed, is) => {
  expect(printedLine(shown).test(`before\n${printed}\nafter`)).toBe(is);
});
