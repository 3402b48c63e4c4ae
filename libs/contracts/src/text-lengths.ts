const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;
/** Code points that belong to one character at most, where a text is cut; an emoji of a family has eleven. */
const LONGEST_CHARACTER = 64;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Length of a text as JSON Schema and PostgreSQL count it: in code points. `length` counts units of UTF-16, one or two for each. */
export const lengthOf = (text: string): number => text.length - (text.match(PAIRS)?.length ?? 0);

export const hasAtLeast = (minimum: number, text: string): boolean => text.length >= 2 * minimum || lengthOf(text) >= minimum;
export const hasAtMost = (maximum: number, text: string): boolean =>
  text.length <= maximum || (text.length <= 2 * maximum && lengthOf(text) <= maximum);

/**
 * The first `maximum` code points of a text at most. It is cut between two characters as people see them, and so never within a pair of surrogates, an
 * emoji of several code points, or a letter and its accents.
 */
export function beginningOf(text: string, maximum: number): string {
  if (hasAtMost(maximum, text)) return text;
  let end = 0;
  for (let count = 0; count < maximum; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  const near = text.slice(0, end + 2 * LONGEST_CHARACTER);
  const begin = characters.segment(near).containing(end)?.index ?? end;
  return text.slice(0, begin > 0 && end - begin <= LONGEST_CHARACTER ? begin : end);
}

/** The text, or its beginning with `…` behind it: `maximum` code points at most. */
export const shortened = (text: string, maximum: number): string =>
  hasAtMost(maximum, text) ? text : `${beginningOf(text, maximum - 1).trimEnd()}…`;
