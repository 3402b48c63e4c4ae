const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;
/**
 * Maximum number of code points that a cut treats as one character. An emoji of a family has
 * eleven.
 */
const LONGEST_CHARACTER = 64;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Length of a text in code points, as JSON Schema and PostgreSQL count it. `length` counts UTF-16
 * units, one or two per code point.
 */
export const lengthOf = (text: string): number => text.length - (text.match(PAIRS)?.length ?? 0);

export const hasAtLeast = (minimum: number, text: string): boolean =>
  text.length >= 2 * minimum || lengthOf(text) >= minimum;
export const hasAtMost = (maximum: number, text: string): boolean =>
  text.length <= maximum || (text.length <= 2 * maximum && lengthOf(text) <= maximum);

/**
 * First `maximum` code points of a text, or fewer. The cut is between two visible characters: never
 * inside a surrogate pair, an emoji of several code points, or a letter with accents.
 */
export function truncateText(text: string, maximum: number): string {
  if (hasAtMost(maximum, text)) return text;
  let end = 0;
  for (let count = 0; count < maximum; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  const near = text.slice(0, end + 2 * LONGEST_CHARACTER);
  const begin = characters.segment(near).containing(end)?.index ?? end;
  return text.slice(0, begin > 0 && end - begin <= LONGEST_CHARACTER ? begin : end);
}

/** The text, or its beginning followed by `…`; at most `maximum` code points. */
export const shortenText = (text: string, maximum: number): string =>
  hasAtMost(maximum, text) ? text : `${truncateText(text, maximum - 1).trimEnd()}…`;
