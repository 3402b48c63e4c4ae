// Holds the language of comments, documents, OpenAPI texts and strings to the rules of plain English: `rules.mjs`. Prints file, line and rule of each finding.
//   node tools/lint/plain-english/main.mjs [--figures] [group or part of a path ...]
// With `--figures` it prints how frequent the words are in each group.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { GROUPS, LEFT_OUT, WITHOUT_READER } from './groups.mjs';
import { figuresOf, findingsIn, frequencies, groupBy, withoutReader } from './rules.mjs';
import { textsOfDocument, textsOfOpenApi, textsOfSource } from './texts.mjs';

const MOST_SHOWN = 200;
const { values, positionals } = parseArgs({ options: { figures: { type: 'boolean' } }, allowPositionals: true });

/** @param {string} file */
function textsOf(file) {
  const source = readFileSync(file, 'utf8');
  if (file.endsWith('.md')) return textsOfDocument(file, source);
  if (file.endsWith('.json')) return textsOfOpenApi(file, source);
  const texts = textsOfSource(file, source);
  // Titles of specs and data of tests are no texts for readers.
  return groupOf(file).name === 'specs' ? texts.filter(({ kind }) => kind === 'comment') : texts;
}

/** @param {string} file */
const groupOf = (file) => /** @type {import('./groups.mjs').Group} */ (GROUPS.find(({ files }) => files.test(file)));

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
  .split('\n')
  .filter((file) => /\.([cm]?[jt]sx?|md)$|^docs\/openapi\/[a-z-]+\.json$/.test(file) && !LEFT_OUT.test(file));
const isWanted = (/** @type {string} */ file) =>
  !positionals.length || positionals.some((wanted) => groupOf(file).name === wanted || file.includes(wanted));
const texts = files.filter(isWanted).flatMap(textsOf);
const groups = [...groupBy(texts, ({ file }) => groupOf(file).name)];

if (values.figures) {
  for (const [name, ofGroup] of [...groups, /** @type {const} */ (['all', texts])]) {
    for (const kind of ['comment', 'string', 'document']) {
      const {
        words,
        texts: count,
        what,
        who,
        you,
        badBeginnings,
      } = figuresOf(ofGroup.filter((text) => text.kind === kind));
      if (!words) continue;
      console.log(
        `${name.padEnd(18)} ${kind.padEnd(9)} ${String(words).padStart(7)} words; in 1,000: what ${what.toFixed(1)}, who ${who.toFixed(1)}, you ${you.toFixed(1)}; ` +
          `${badBeginnings} of ${count} begin badly`,
      );
    }
  }
} else {
  const findings = [
    ...texts.flatMap(findingsIn),
    ...groups.flatMap(([name, ofGroup]) => frequencies(name, ofGroup)),
    ...withoutReader(texts.filter(({ kind, file }) => kind === 'document' && !WITHOUT_READER.test(file))),
  ];
  for (const { file, line, rule } of findings.slice(0, MOST_SHOWN)) console.error(`${file}:${line} ${rule}`);
  if (findings.length) console.error(`${findings.length} findings. CONTRIBUTING.md has the rules.`);
  process.exitCode = findings.length ? 1 : 0;
}
