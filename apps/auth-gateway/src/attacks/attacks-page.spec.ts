import { existsSync, readFileSync } from 'node:fs';

/** `file` "title", "another title of it". A title may be the start of what the test is called. */
const REFERENCE = /`([\w/.-]+\.spec\.ts)`((?:,? "[^"]+")+)/g;

const references = [...readFileSync('docs/attacks.md', 'utf8').matchAll(REFERENCE)].flatMap(([, file = '', titles = '']) => {
  const path = existsSync(file) ? file : `apps/auth-gateway/src/${file}`;
  return [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => [path, title] as const);
});

it('docs/attacks.md has a test for each line', () => {
  const lines = readFileSync('docs/attacks.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| [A-Z]\d/.test(line));
  expect(lines.length).toBeGreaterThan(40);
  for (const line of lines) expect(line).toMatch(new RegExp(REFERENCE.source));
});

it.each(references)('docs/attacks.md names a test that there is: %s %s', (path, title) => {
  expect(readFileSync(path, 'utf8')).toContain(title);
});
