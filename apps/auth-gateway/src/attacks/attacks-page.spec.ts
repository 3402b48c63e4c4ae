import { existsSync, readFileSync } from 'node:fs';

/** `file` "title", "another title of it". A title can be the start of the test's name. */
const REFERENCE = /`([\w/.-]+\.spec\.ts)`((?:,? "[^"]+")+)/g;

/** Id at the start of a table row. */
const ID = /^\| ([A-Z]+\d+) /;

const references = [...readFileSync('docs/attacks.md', 'utf8').matchAll(REFERENCE)].flatMap(
  ([, file = '', titles = '']) => {
    const path = existsSync(file) ? file : `apps/auth-gateway/src/${file}`;
    return [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => [path, title] as const);
  },
);

const texts = new Map<string, string>();
function textOf(path: string): string {
  const text = texts.get(path) ?? readFileSync(path, 'utf8');
  texts.set(path, text);
  return text;
}

it('docs/attacks.md has a test for each line', () => {
  const lines = readFileSync('docs/attacks.md', 'utf8')
    .split('\n')
    .filter((line) => ID.test(line));
  expect(lines.length).toBeGreaterThan(40);
  for (const line of lines) expect(line).toMatch(new RegExp(REFERENCE.source));
  const ids = lines.map((line) => ID.exec(line)?.[1]);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

it.each(references)('docs/attacks.md names a test that there is: %s %s', (path, title) => {
  expect(textOf(path).includes(title)).toBe(true);
});
