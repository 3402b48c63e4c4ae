import { findingsIn, frequencies, withoutReader } from './rules.mjs';
import { textsOfDocument, textsOfOpenApi, textsOfSource } from './texts.mjs';

const comment = (text: string, line = 1) => ({ kind: 'comment' as const, file: 'a.ts', line, text });
const rulesOf = (text: string) => findingsIn(comment(text)).map(({ rule }) => rule);
const many = (words: number, ...uses: string[]) => [
  comment(`${'word '.repeat(words - uses.length)}${uses.join(' ')}`, 7),
];

describe('a comment', () => {
  it.each(['What', 'Of', 'Who', 'Whoever', 'Whose', 'Whether', 'As', 'Those', 'One', 'what'])(
    'does not begin with "%s"',
    (word) => {
      expect(rulesOf(`${word} a call costs.`)).toEqual([expect.stringContaining(`begins with "${word}"`)]);
    },
  );

  it.each(['The price of a call.', 'Offers of the app.', 'Onerous work.', 'Asks the provider.'])(
    'may begin with a noun or a verb: %s',
    (text) => {
      expect(rulesOf(text)).toEqual([]);
    },
  );

  it.each([
    'the gateway of before',
    'ten unless told',
    'as good as done',
    'deleted by then',
    'none of theirs',
    'made anew',
  ])('has no phrase that readers had to guess: %s', (text) => {
    expect(rulesOf(`Lists ${text}.`)).toEqual([expect.stringContaining(': say ')]);
  });
});

describe('frequent words', () => {
  it('are found with each place when there are more than 3 "what" or 2 "who" in 1,000 words', () => {
    expect(frequencies('a group', many(1_000, 'what', 'What', 'what', 'who', 'nobody'))).toEqual([]);
    const findings = frequencies('a group', many(1_000, 'what', 'what', 'what', 'what', 'who', 'whose', 'whoever'));
    expect(findings.map(({ file, line, rule }) => `${file}:${line} ${rule}`)).toEqual([
      ...Array<string>(4).fill('a.ts:7 "what": 4 in 1000 words of a group, 3 are the most'),
      ...Array<string>(3).fill(
        'a.ts:7 "who", "whoever", "whose" or "nobody": 3 in 1000 words of a group, 2 are the most',
      ),
    ]);
  });

  it('are allowed more often in documents, which are counted apart', () => {
    const document = many(1_000, 'what', 'what', 'what', 'what', 'what').map((text) => ({
      ...text,
      kind: 'document' as const,
    }));
    expect(frequencies('a group', [...document, ...many(100)])).toEqual([]);
    expect(frequencies('a group', [...document, ...many(100, 'what')])).toHaveLength(1);
  });
});

describe('a document', () => {
  const document = (text: string) => [{ kind: 'document' as const, file: 'a.md', line: 3, text }];

  it('addresses its reader 8 times in 1,000 words', () => {
    expect(withoutReader(document('word '.repeat(1_000) + 'you '.repeat(9)))).toEqual([]);
    expect(withoutReader(document('word '.repeat(1_000) + 'your '.repeat(8)))).toEqual([
      { file: 'a.md', line: 1, rule: 'says "you" 8 times in 1008 words: 9 are the fewest' },
    ]);
  });

  it('need not when it is short', () => {
    expect(withoutReader(document('word '.repeat(149)))).toEqual([]);
  });
});

describe('texts', () => {
  it('of a source are its comments, without markers and code, and its sentences', () => {
    const source = [
      '/** Starts `x`, and',
      ' *  waits. @throws Error late */',
      'export const a = 1; // Milliseconds',
      '// One comment',
      '// of two lines.',
      "const url = 'http://a/b'; // eslint-disable-line",
      "throw new Error('The name is taken already.');",
      'query(`SELECT id FROM users WHERE name = $1`);',
      'say(`There are ${n} of them.`);',
    ].join('\n');
    expect(textsOfSource('a.ts', source).map(({ kind, line, text }) => [kind, line, text])).toEqual([
      ['comment', 1, 'Starts , and waits. Error late'],
      ['comment', 3, 'Milliseconds'],
      ['comment', 4, 'One comment of two lines.'],
      ['string', 7, 'The name is taken already.'],
      ['string', 9, 'There are … of them.'],
    ]);
  });

  it('of JSX are read, too, and no comment in them', () => {
    const source = 'const page = <p>Resets in // 30 days from now</p>;';
    expect(textsOfSource('a.tsx', source).map(({ kind, text }) => [kind, text])).toEqual([
      ['string', 'Resets in // 30 days from now'],
    ]);
  });

  it('of a document are its paragraphs, headings and cells, without code', () => {
    const source = '# Title\n\nYou run `what` now.\n\n```sh\nwhat\n```\n\n| a  |\n| -- |\n| cell |\n';
    expect(textsOfDocument('a.md', source).map(({ line, text }) => [line, text])).toEqual([
      [1, 'Title'],
      [3, 'You run now.'],
      [9, 'a'],
      [11, 'cell'],
    ]);
  });

  it('of a document leave out titles of tests, which are quoted', () => {
    const source = 'It is refused: `a.spec.ts` "for nobody of theirs", "anew", and "by then" is none.';
    expect(textsOfDocument('a.md', source).map(({ text }) => text)).toEqual([
      'It is refused: , and "by then" is none.',
    ]);
  });

  it('of an OpenAPI document are summaries and descriptions', () => {
    const source = '{\n  "paths": { "/a": { "get": { "summary": "List apps", "description": "What apps?" } } }\n}';
    expect(textsOfOpenApi('a.json', source).map(({ line, text }) => [line, text])).toEqual([
      [2, 'List apps'],
      [2, 'What apps?'],
    ]);
  });
});
