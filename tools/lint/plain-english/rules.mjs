// Rules of plain English, on texts of any kind. `main.mjs` applies them to the workspace.

/** First words that stand for a missing noun: "What a call costs" is "The price of a call". */
const FIRST_WORDS = /^(what|of|who|whoever|whose|whether|as|those|one)\b/i;
/** Phrases that readers had to guess, each with plain ones. */
const PHRASES = [
  { phrase: /\bof before\b/i, instead: '"previous", "earlier"' },
  { phrase: /\bunless told\b/i, instead: '"by default"' },
  { phrase: /\bas good as\b/i, instead: '"almost", "nearly"' },
  { phrase: /\bby then\b/i, instead: 'the time or the event' },
  { phrase: /\b(whoever|nobody|none|all|those) of theirs\b/i, instead: 'the noun' },
  { phrase: /\banew\b/i, instead: '"again"' },
  { phrase: /\bcomes? to be\b/i, instead: '"becomes", "is"' },
  { phrase: /\b(hears?|heard) (of|that|from)\b/i, instead: '"receives", "is notified"' },
];
/** Most uses in 1,000 words. */
export const MOST = { comment: { what: 3, who: 2 }, document: { what: 5, who: 2 } };
/** Fewest uses of "you" and "your" in 1,000 words of a document. */
export const FEWEST_YOU = 8;
/** A shorter document need not say "you". */
const SHORT_DOCUMENT = 150;

const WHAT = /\bwhat\b/gi;
const WHO = /\b(who|whoever|whose|nobody)\b/gi;
const YOU = /\byou(r|rs|rself)?\b/gi;

/**
 * @typedef {object} Text a comment, a paragraph of a document, or a string that somebody reads
 * @property {'comment' | 'document' | 'string'} kind
 * @property {string} file
 * @property {number} line the first is 1
 * @property {string} text without markers of comments, line breaks and code
 * @property {boolean} [isCell] true for a cell of a table
 */

/** @typedef {{ file: string, line: number, rule: string }} Finding */

/** Findings in one text. @param {Text} text @returns {Finding[]} */
export function findingsIn({ kind, file, line, text }) {
  /** @type {string[]} */
  const rules = [];
  const first = FIRST_WORDS.exec(text);
  if (kind === 'comment' && first) rules.push(`begins with "${first[0]}": begin with the noun or the verb`);
  for (const { phrase, instead } of PHRASES) {
    const found = phrase.exec(text);
    if (found) rules.push(`says "${found[0]}": say ${instead}`);
  }
  return rules.map((rule) => ({ file, line, rule }));
}

/**
 * Words that are too frequent in a group of texts, with the places of each use.
 *
 * @param {string} group
 * @param {readonly Text[]} texts
 * @returns {Finding[]}
 */
export function frequencies(group, texts) {
  return ['document', 'comment'].flatMap((kind) => {
    const ofKind = texts.filter((text) => (text.kind === 'document') === (kind === 'document'));
    const words = wordsIn(ofKind);
    const most = kind === 'document' ? MOST.document : MOST.comment;
    return [
      tooMany(ofKind, words, { pattern: WHAT, name: '"what"', most: most.what, group }),
      tooMany(ofKind, words, { pattern: WHO, name: '"who", "whoever", "whose" or "nobody"', most: most.who, group }),
    ].flat();
  });
}

/**
 * Documents that do not address their reader. Tables do not count.
 *
 * @param {readonly Text[]} texts of documents
 * @returns {Finding[]}
 */
export function withoutReader(texts) {
  const files = groupBy(
    texts.filter(({ isCell }) => !isCell),
    ({ file }) => file,
  );
  return [...files].flatMap(([file, ofFile]) => {
    const words = wordsIn(ofFile);
    const said = uses(ofFile, YOU).length;
    const fewest = Math.ceil((words * FEWEST_YOU) / 1_000);
    return words < SHORT_DOCUMENT || said >= fewest
      ? []
      : [{ file, line: 1, rule: `says "you" ${said} times in ${words} words: ${fewest} are the fewest` }];
  });
}

/** Uses of both word families and of "you" in 1,000 words, and the share of comments with a bad first word. @param {readonly Text[]} texts */
export function figuresOf(texts) {
  const words = wordsIn(texts);
  const inThousand = (/** @type {RegExp} */ pattern) => (words ? (1_000 * uses(texts, pattern).length) / words : 0);
  const badBeginnings = texts.filter(({ kind, text }) => kind === 'comment' && FIRST_WORDS.test(text)).length;
  return {
    words,
    texts: texts.length,
    what: inThousand(WHAT),
    who: inThousand(WHO),
    you: inThousand(YOU),
    badBeginnings,
  };
}

/**
 * @param {readonly Text[]} texts
 * @param {number} words
 * @param {{ pattern: RegExp, name: string, most: number, group: string }} rule
 * @returns {Finding[]}
 */
function tooMany(texts, words, { pattern, name, most, group }) {
  const found = uses(texts, pattern);
  const allowed = Math.floor((words * most) / 1_000);
  if (found.length <= allowed) return [];
  return found.map(({ file, line }) => ({
    file,
    line,
    rule: `${name}: ${found.length} in ${words} words of ${group}, ${allowed} are the most`,
  }));
}

/** @param {readonly Text[]} texts @param {RegExp} pattern */
const uses = (texts, pattern) => texts.flatMap((text) => Array.from(text.text.matchAll(pattern), () => text));

/** @param {readonly Text[]} texts */
const wordsIn = (texts) => texts.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0), 0);

/**
 * `Map.groupBy`, which Node.js 20 does not have.
 *
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item) => string} keyOf
 */
export function groupBy(items, keyOf) {
  /** @type {Map<string, Item[]>} */
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
